// Bounds that depend on the virtual architecture.
extern "C" __global__ void
#if __CUDA_ARCH__ >= 860
__launch_bounds__(256)
#else
__launch_bounds__(128, 3)
#endif
halve(float *p) { p[threadIdx.x] *= 0.5f; }
