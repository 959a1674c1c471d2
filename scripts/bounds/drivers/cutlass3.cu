#include <cutlass/cutlass.h>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/device_kernel.h>
#include <cutlass/gemm/device/gemm.h>
using namespace cute;
template <class Tile, class Sched, class Epi> struct G {
  using E = typename cutlass::epilogue::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, Tile, Shape<_2,_1,_1>,
    cutlass::epilogue::collective::EpilogueTileAuto, float, float, cutlass::half_t, cutlass::layout::RowMajor, 8, cutlass::half_t, cutlass::layout::RowMajor, 8, Epi>::CollectiveOp;
  using M = typename cutlass::gemm::collective::CollectiveBuilder<cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, cutlass::half_t, cutlass::layout::RowMajor, 8,
    cutlass::half_t, cutlass::layout::ColumnMajor, 8, float, Tile, Shape<_2,_1,_1>, cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(sizeof(typename E::SharedStorage))>, Sched>::CollectiveOp;
  using K = cutlass::gemm::kernel::GemmUniversal<Shape<int,int,int,int>, M, E>;
};
template <class K> void launch(typename K::Params p) { cutlass::device_kernel<K><<<1, K::MaxThreadsPerBlock>>>(p); }
using A = G<Shape<_128,_128,_64>, cutlass::gemm::KernelTmaWarpSpecializedPingpong, cutlass::epilogue::TmaWarpSpecialized>::K;
using B = G<Shape<_128,_128,_64>, cutlass::gemm::KernelTmaWarpSpecializedCooperative, cutlass::epilogue::TmaWarpSpecializedCooperative>::K;
template void launch<A>(A::Params); template void launch<B>(B::Params);
