// A tile library: the kernel is a shell around an operator type that carries all numbers.
#pragma once

namespace tiles {

template <int M, int N, int K>
struct Shape {
  static constexpr int kM = M;
  static constexpr int kN = N;
  static constexpr int kK = K;
  static constexpr int kCount = M * N * K;
};

template <typename Operator>
__global__ void Kernel(typename Operator::Params params) {
  extern __shared__ int shared_storage_base[];
  typename Operator::SharedStorage *shared_storage = reinterpret_cast<typename Operator::SharedStorage *>(shared_storage_base);
  Operator op;
  op(params, *shared_storage);
}

template <typename Operator>
__global__
#ifdef __CUDACC__
__launch_bounds__(Operator::MaxThreadsPerBlock, Operator::MinBlocksPerMultiprocessor)
#endif
void device_kernel(typename Operator::Params const params) {
  extern __shared__ char smem[];
  Operator op;
  op(params, *reinterpret_cast<typename Operator::SharedStorage *>(smem));
}

}  // namespace tiles
