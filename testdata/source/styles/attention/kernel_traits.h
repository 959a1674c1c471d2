// Attention kernels: traits with many numbers, kernels made by macros, variants by boolean parameters.
#pragma once

template <int kHeadDim_, int kBlockM_, int kBlockN_, int kNWarps_, typename elem_type = float>
struct Fwd_base_traits {
  using Element = elem_type;
  static constexpr int kNWarps = kNWarps_;
  static constexpr int kNThreads = kNWarps * 32;
  static constexpr int kBlockM = kBlockM_;
  static constexpr int kBlockN = kBlockN_;
  static constexpr int kHeadDim = kHeadDim_;
  static_assert(kHeadDim % 32 == 0, "head dim");
  static constexpr int kSwizzle = kHeadDim % 64 == 0 ? 64 : 32;
};

template <int kHeadDim_, int kBlockM_, int kBlockN_, int kNWarps_, bool Share_Q_K_smem_ = false, typename elem_type = float,
          typename Base = Fwd_base_traits<kHeadDim_, kBlockM_, kBlockN_, kNWarps_, elem_type>>
struct Fwd_kernel_traits : public Base {
  using Element = typename Base::Element;
  static constexpr bool Share_Q_K_smem = Share_Q_K_smem_;
  static constexpr int kGmemElemsPerLoad = sizeof(float4) / sizeof(Element);
  static constexpr int kMinBlocks = Base::kHeadDim <= 64 ? 2 : 1;
};

struct Fwd_params {
  const float *q;
  float *o;
  int seqlen;
};
