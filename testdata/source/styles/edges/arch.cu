// What the architecture decides.
#if __CUDA_ARCH__ >= 900
#define BLOCKS 3
#elif __CUDA_ARCH__ >= 800
#define BLOCKS 2
#else
#define BLOCKS 1
#endif
__global__ void __launch_bounds__(256, BLOCKS) by_macro(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(__CUDA_ARCH__ >= 900 ? 384 : 192) by_expression(float *p) { p[0] = 1; }
#if __CUDA_ARCH__ >= 900
__global__ void __launch_bounds__(128, 1, 2) with_cluster(float *p) { p[0] = 1; }
#else
__global__ void __launch_bounds__(128, 4) with_cluster(float *p) { p[0] = 1; }
#endif
struct Tuned {
#if __CUDA_ARCH__ >= 900
  static constexpr int kThreads = 512;
#else
  static constexpr int kThreads = 256;
#endif
  static constexpr int kBlocks = 1024 / kThreads;
};
__global__ void __launch_bounds__(Tuned::kThreads, Tuned::kBlocks) by_class(float *p) { p[0] = 1; }
