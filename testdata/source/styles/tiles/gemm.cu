#include "gemm.h"

using Small = tiles::gemm::Mma<tiles::Shape<64, 64, 32>, tiles::Shape<32, 32, 32>, 3>;
using Large = tiles::gemm::Mma<tiles::Shape<128, 256, 64>, tiles::Shape<64, 64, 64>, 4>;
using GemmSmall = tiles::gemm::Gemm<Small, tiles::gemm::Schedule::kAuto>;
using GemmLarge = tiles::gemm::Gemm<Large, tiles::gemm::Schedule::kAuto>;
using GemmCooperative = tiles::gemm::Gemm<Large, tiles::gemm::Schedule::kCooperative>;
using GemmPingpong = tiles::gemm::Gemm<Large, tiles::gemm::Schedule::kPingpong>;

template __global__ void tiles::Kernel<GemmSmall>(GemmSmall::Params);
template __global__ void tiles::device_kernel<GemmSmall>(GemmSmall::Params const);
template __global__ void tiles::device_kernel<GemmLarge>(GemmLarge::Params const);
template __global__ void tiles::device_kernel<GemmCooperative>(GemmCooperative::Params const);
template __global__ void tiles::device_kernel<GemmPingpong>(GemmPingpong::Params const);
