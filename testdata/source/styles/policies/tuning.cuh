// Tuning policies by architecture, in the way of collections of block-level algorithms.
#pragma once

#if defined(__CUDA_ARCH__)
#define PTX_VERSION (__CUDA_ARCH__ / 10)
#else
#define PTX_VERSION 0
#endif

namespace algo {
inline namespace v2 {

enum LoadModifier { LOAD_DEFAULT, LOAD_CA, LOAD_CG };

template <int BLOCK_THREADS_, int ITEMS_PER_THREAD_, LoadModifier MODIFIER_>
struct AgentReducePolicy {
  enum {
    BLOCK_THREADS = BLOCK_THREADS_,
    ITEMS_PER_THREAD = ITEMS_PER_THREAD_,
    TILE_ITEMS = BLOCK_THREADS * ITEMS_PER_THREAD,
  };
  static constexpr LoadModifier LOAD_MODIFIER = MODIFIER_;
};

template <typename T>
struct PolicySelector {
  struct Policy600 {
    static constexpr int threads_per_block = 256;
    static constexpr int items_per_vec_load = 4;
    using ReducePolicy = AgentReducePolicy<threads_per_block, 16, LOAD_CA>;
    using SingleTilePolicy = ReducePolicy;
  };
  struct Policy900 : Policy600 {
    using SingleTilePolicy = AgentReducePolicy<512, 8, LOAD_DEFAULT>;
  };
#if PTX_VERSION >= 900 || PTX_VERSION >= 90
  using ActivePolicy = Policy900;
#else
  using ActivePolicy = Policy600;
#endif
};

template <typename PolicyT, typename T>
__global__ __launch_bounds__(int(PolicyT::ActivePolicy::ReducePolicy::BLOCK_THREADS))
void DeviceReduceKernel(const T *in, T *out, int n) {
  T acc = T();
  for (int i = threadIdx.x; i < n; i += PolicyT::ActivePolicy::ReducePolicy::BLOCK_THREADS) acc += in[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}

template <typename PolicyT, typename T>
__global__ __launch_bounds__(int(PolicyT::ActivePolicy::SingleTilePolicy::BLOCK_THREADS), 1)
void DeviceReduceSingleTileKernel(const T *in, T *out, int n) {
  T acc = T();
  for (int i = threadIdx.x; i < n; i += blockDim.x) acc += in[i];
  out[threadIdx.x] = acc;
}

template <int VALUE>
struct Log2 {
  static constexpr int value = VALUE > 1 ? 1 + Log2<(VALUE >> 1)>::value : 0;
};
template <>
struct Log2<1> {
  static constexpr int value = 0;
};

template <typename PolicyT>
__launch_bounds__(PolicyT::BLOCK_THREADS << Log2<8>::value, PolicyT::LOAD_MODIFIER == LOAD_CA ? 2 : 1)
__global__ void DeviceScanInitKernel(int *state, int n) {
  if (threadIdx.x < n) state[threadIdx.x] = 0;
}

}  // namespace v2
}  // namespace algo
