#pragma once
#include "device_kernel.h"

namespace tiles {
namespace gemm {

enum class Schedule { kAuto, kCooperative, kPingpong };

template <typename ThreadblockShape_, typename WarpShape_, int Stages>
struct Mma {
  using ThreadblockShape = ThreadblockShape_;
  using WarpShape = WarpShape_;
  using WarpCount = Shape<ThreadblockShape::kM / WarpShape::kM, ThreadblockShape::kN / WarpShape::kN, ThreadblockShape::kK / WarpShape::kK>;
  static int const kStages = Stages;
  static int const kThreads = 32 * WarpCount::kCount;
};

template <typename Mma_, Schedule S>
struct Gemm {
  using Mma = Mma_;
  struct Params {
    float const *a;
    float *c;
    int k;
  };
  struct SharedStorage {
    float tile[Mma::ThreadblockShape::kM];
  };
  static int const kWarpGroups = S == Schedule::kPingpong ? 3 : 2;
  static constexpr unsigned MaxThreadsPerBlock = S == Schedule::kAuto ? Mma::kThreads : kWarpGroups * 128;
  static constexpr unsigned MinBlocksPerMultiprocessor = 1;

  __device__ void operator()(Params const &p, SharedStorage &s) const {
    float acc = 0;
    for (int i = threadIdx.x; i < p.k; i += MaxThreadsPerBlock) acc += p.a[i];
    s.tile[threadIdx.x % Mma::ThreadblockShape::kM] = acc;
    __syncthreads();
    p.c[threadIdx.x] = s.tile[0];
  }
};

}  // namespace gemm
}  // namespace tiles
