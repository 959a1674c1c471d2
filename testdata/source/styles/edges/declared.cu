// Declarations and definitions apart, specializations, overloads, attributes in every place.

// 1. Bounds on the declaration alone, on the definition alone, on both.
__global__ void __launch_bounds__(192, 3) declared_first(float *p);
__global__ void declared_first(float *p) { p[threadIdx.x] = 1; }

__global__ void defined_with(float *p);
__global__ void __launch_bounds__(224) defined_with(float *p) { p[threadIdx.x] = 2; }

__global__ void __launch_bounds__(96) declared_both(float *p);
__global__ void __launch_bounds__(96) declared_both(float *p) { p[threadIdx.x] = 3; }

// 2. A primary template with bounds, and specializations with others and with none.
template <typename T, int N>
__global__ void __launch_bounds__(N * 32, 2) special(T *p) { p[threadIdx.x] = N; }
template <>
__global__ void __launch_bounds__(480) special<double, 4>(double *p) { p[threadIdx.x] = 4; }
template <>
__global__ void special<double, 8>(double *p) { p[threadIdx.x] = 8; }
template __global__ void special<float, 4>(float *);

// 3. Overloads.
__global__ void __launch_bounds__(64) overloaded(float *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(128) overloaded(float *p, int n) { p[threadIdx.x] = n; }

// 4. Where the attribute can stand.
__launch_bounds__(32) __global__ void attribute_first(float *p) { p[0] = 1; }
__global__ __launch_bounds__(64) void attribute_middle(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(
    96 /* threads */, // blocks follow
    5) attribute_lines(float *p) { p[0] = 1; }
extern "C" __global__ void __launch_bounds__ ( 0x80 , 0b11 ) c_linkage(float *p) { p[0] = 1; }
extern "C" {
static __global__ void __launch_bounds__(1'0'24) digits(float *p) { p[0] = 1; }
}
__global__ void __launch_bounds__(16\
0) spliced(float *p) { p[0] = 1; }
%:define DIGRAPH 288
__global__ void __launch_bounds__(DIGRAPH) digraphs(float *p) <% p<:0:> = 1; %>

// 5. Registers.
__global__ void __maxnreg__(48) capped(float *p) { p[threadIdx.x] = 1; }
template <int R>
__maxnreg__(R + 8) __global__ void capped_by(float *p) { p[threadIdx.x] = 1; }
template __global__ void capped_by<32>(float *);

// 6. Namespaces.
namespace a {
namespace b::c {
constexpr int kThreads = 320;
__global__ void deep(float *p);
}
namespace {
enum : unsigned { THREADS = 352, BLOCKS };
__global__ void __launch_bounds__(THREADS, BLOCKS - 351) anonymous(float *p) { p[0] = 1; }
}
inline namespace v1 {
__global__ void __launch_bounds__(b::c::kThreads, 2) versioned(float *p) { p[0] = 1; }
}
void use(float *p) { anonymous<<<1, 1>>>(p); }
}
__global__ void __launch_bounds__(a::b::c::kThreads) a::b::c::deep(float *p) { p[0] = 1; }
using namespace a::b;
__global__ void __launch_bounds__(c::kThreads / 2) by_directive(float *p) { p[0] = 1; }

void use_static(float *p) { digits<<<1, 1>>>(p); }
