#pragma once
#include "macros.h"

namespace tl {
namespace native {

constexpr int num_threads() { return WARP * 4; }
constexpr int thread_work_size() { return 4; }
constexpr int block_work_size() { return thread_work_size() * num_threads(); }

template <typename func_t, typename T>
TL_LAUNCH_BOUNDS_1(num_threads())
__global__ void elementwise_unrolled(int n, func_t f, T *data) {
  int base = blockIdx.x * block_work_size() + threadIdx.x;
#pragma unroll
  for (int i = 0; i < thread_work_size(); ++i)
    if (base + i * num_threads() < n) data[base + i * num_threads()] = f(data[base + i * num_threads()]);
}

template <int vec_size, typename func_t, typename T>
TL_LAUNCH_BOUNDS_1(num_threads())
__global__ void elementwise_vectorized(int n, func_t f, T *data) {
  int base = (blockIdx.x * num_threads() + threadIdx.x) * vec_size;
#pragma unroll
  for (int i = 0; i < vec_size; ++i)
    if (base + i < n) data[base + i] = f(data[base + i]);
}

// nt threads, each with vt elements
template <int nt, int vt, typename func_t>
TL_LAUNCH_BOUNDS_2(nt, 4)
__global__ void index_kernel(int n, func_t f) {
  int idx = nt * vt * blockIdx.x + threadIdx.x;
#pragma unroll
  for (int i = 0; i < vt; i++) {
    if (idx < n) {
      f(idx);
      idx += nt;
    }
  }
}

template <int max_threads, int output_vec, typename R>
TL_LAUNCH_BOUNDS_2(max_threads, 4)
__global__ void reduce_kernel(R reduction) { reduction.template run<output_vec>(); }

}  // namespace native
}  // namespace tl
