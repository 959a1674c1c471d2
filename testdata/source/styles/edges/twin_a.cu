// Two files with internal kernels of one name and other bounds.
constexpr int kThreads = 128;
namespace {
__global__ void __launch_bounds__(kThreads) twin(float *p) { p[0] = 1; }
}
static __global__ void __launch_bounds__(kThreads, 2) static_twin(float *p) { p[0] = 1; }
void use_a(float *p) { twin<<<1, 1>>>(p); static_twin<<<1, 1>>>(p); }
