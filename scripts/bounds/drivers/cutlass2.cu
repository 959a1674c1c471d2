#include <cutlass/cutlass.h>
#include <cutlass/gemm/device/gemm.h>
template <class T, class W, class I, class Arch, int S> using G = cutlass::gemm::device::Gemm<cutlass::half_t, cutlass::layout::RowMajor, cutlass::half_t, cutlass::layout::ColumnMajor, float, cutlass::layout::RowMajor, float,
  cutlass::arch::OpClassTensorOp, Arch, T, W, I, cutlass::epilogue::thread::LinearCombination<float, 4, float, float>, cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, S>;
template <int M, int N, int K> using S = cutlass::gemm::GemmShape<M, N, K>;
using A = G<S<128,128,32>, S<64,64,32>, S<16,8,16>, cutlass::arch::Sm80, 3>;
using B = G<S<64,64,32>, S<32,32,32>, S<16,8,16>, cutlass::arch::Sm80, 4>;
using F = cutlass::gemm::device::Gemm<float, cutlass::layout::RowMajor, float, cutlass::layout::RowMajor, float, cutlass::layout::RowMajor>;
template <class K> void launch(typename K::Params p) { cutlass::Kernel<K><<<1, K::kThreadCount>>>(p); }
template void launch<A::GemmKernel>(A::GemmKernel::Params); template void launch<B::GemmKernel>(B::GemmKernel::Params); template void launch<F::GemmKernel>(F::GemmKernel::Params);
