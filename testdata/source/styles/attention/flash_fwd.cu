#include "kernel_traits.h"

// Determine if the architecture supports it and define a macro to handle parameters
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define ARCH_SUPPORTS_FLASH
#define KERNEL_PARAM_MODIFIER __grid_constant__
#else
#define KERNEL_PARAM_MODIFIER
#endif

#define DEFINE_FLASH_FORWARD_KERNEL(kernelName, ...) \
  template <typename Kernel_traits, __VA_ARGS__>     \
  __global__ void __launch_bounds__(Kernel_traits::kNThreads, Kernel_traits::kMinBlocks) kernelName(KERNEL_PARAM_MODIFIER const Fwd_params params)

namespace flash {

template <typename Kernel_traits, bool Is_causal>
__device__ __forceinline__ void compute_attn(const Fwd_params &params) {
  extern __shared__ char smem_[];
  float *s = reinterpret_cast<float *>(smem_);
  s[threadIdx.x] = params.q[threadIdx.x];
  __syncthreads();
  float acc = 0;
  for (int i = 0; i < Kernel_traits::kBlockN; ++i)
    if (!Is_causal || i <= threadIdx.x) acc += s[i];
  params.o[blockIdx.x * Kernel_traits::kNThreads + threadIdx.x] = acc;
}

DEFINE_FLASH_FORWARD_KERNEL(flash_fwd_kernel, bool Is_dropout, bool Is_causal, bool Is_even_MN) {
#if defined(ARCH_SUPPORTS_FLASH)
  static_assert(!(Is_causal && Is_dropout), "");
  compute_attn<Kernel_traits, Is_causal>(params);
#endif
}

DEFINE_FLASH_FORWARD_KERNEL(flash_fwd_splitkv_kernel, bool Is_causal, bool Split) {
  if (Split) compute_attn<Kernel_traits, Is_causal>(params);
}

template <typename Kernel_traits, int kBlockM, int Log_max_splits>
__global__ void flash_fwd_splitkv_combine_kernel(const Fwd_params params) {
  params.o[threadIdx.x] = params.q[threadIdx.x * kBlockM + Log_max_splits];
}

}  // namespace flash

using T64 = Fwd_kernel_traits<64, 128, 128, 4>;
using T96 = Fwd_kernel_traits<96, 128, 64, 4, true>;
using T256 = Fwd_kernel_traits<256, 128, 64, 8, false, double>;

template __global__ void flash::flash_fwd_kernel<T64, false, true, true>(KERNEL_PARAM_MODIFIER const Fwd_params);
template __global__ void flash::flash_fwd_kernel<T64, false, false, true>(KERNEL_PARAM_MODIFIER const Fwd_params);
template __global__ void flash::flash_fwd_kernel<T96, false, true, false>(KERNEL_PARAM_MODIFIER const Fwd_params);
template __global__ void flash::flash_fwd_kernel<T256, false, false, false>(KERNEL_PARAM_MODIFIER const Fwd_params);
template __global__ void flash::flash_fwd_splitkv_kernel<T256, true, true>(KERNEL_PARAM_MODIFIER const Fwd_params);
template __global__ void flash::flash_fwd_splitkv_combine_kernel<T64, 4, 5>(const Fwd_params);
