// What the build decides: compiled with -DTPB=320 -DUSE_BIG and without -DUSE_SMALL.
#ifndef DEFAULT_TPB
#define DEFAULT_TPB 128
#endif
#ifdef USE_BIG
#define MIN_BLOCKS 2
#else
#define MIN_BLOCKS 4
#endif
#ifdef USE_SMALL
constexpr int kSmall = 32;
#else
constexpr int kSmall = 64;
#endif
#define BOTH(t) t, MIN_BLOCKS
#define PASTE(a, b) a##b
#define KERNEL(n, t) __global__ void __launch_bounds__(t) PASTE(k, n)(float *p) { p[0] = n; }

__global__ void __launch_bounds__(TPB) from_build(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(TPB, MIN_BLOCKS) by_condition(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(DEFAULT_TPB) by_default(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(BOTH(TPB / 2)) two_from_macro(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(kSmall) small(float *p) { p[0] = 1; }
KERNEL(1, 32)
KERNEL(2, 64) KERNEL(3, TPB)

#if TPB > 256 && !defined(USE_SMALL)
__global__ void __launch_bounds__(512)
#else
__global__ void __launch_bounds__(256)
#endif
split_head(float *p) { p[0] = 1; }

#if __CUDACC_VER_MAJOR__ >= 99
__global__ void __launch_bounds__(32) by_toolkit(float *p) { p[0] = 1; }
#else
__global__ void __launch_bounds__(64) by_toolkit(float *p) { p[0] = 1; }
#endif
