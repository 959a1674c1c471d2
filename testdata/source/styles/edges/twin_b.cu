// The other one.
constexpr int kThreads = 256;
namespace {
__global__ void __launch_bounds__(kThreads) twin(float *p) { p[0] = 1; }
}
static __global__ void __launch_bounds__(kThreads, 4) static_twin(float *p) { p[0] = 1; }
void use_b(float *p) { twin<<<1, 1>>>(p); static_twin<<<1, 1>>>(p); }
