// Quantised products: launch bounds from helper functions, enumerators as template arguments, tables by #if.
#include "common.cuh"

#define MMQ_NWARPS 8

static constexpr __device__ int get_nthreads() { return MMQ_NWARPS * WARP_SIZE; }

// More than one statement: which of them returns is not to be read without running it.
static constexpr __device__ int mmvq_nwarps(int ncols) {
  switch (ncols) {
    case 1:
    case 2:
      return 4;
    default:
      return 2;
  }
}

template <quant_type type, int mmq_x, bool need_check>
#if defined(CP_ASYNC_AVAILABLE)
__launch_bounds__(WARP_SIZE *MMQ_NWARPS, 1)
#else
__launch_bounds__(WARP_SIZE *MMQ_NWARPS, 2)
#endif  // CP_ASYNC_AVAILABLE
static __global__ void mul_mat_q(const char *__restrict__ x, float *__restrict__ dst, const int n) {
  extern __shared__ int data_mul_mat_q[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) data_mul_mat_q[i % mmq_x] = x[i] * type;
  if (need_check) __syncthreads();
  dst[threadIdx.x] = data_mul_mat_q[0];
}

template <quant_type type, int ncols_dst>
__launch_bounds__(mmvq_nwarps(ncols_dst) * WARP_SIZE, 1)
static __global__ void mul_mat_vec_q(const void *__restrict__ vx, float *__restrict__ dst) {
  dst[threadIdx.x] = ((const float *)vx)[threadIdx.x * ncols_dst + type];
}

template <int D, int ncols, int parallel_blocks>
__launch_bounds__(D, 1) __global__ void flash_attn_vec_ext(const float *q, float *dst) {
  dst[threadIdx.x * ncols + parallel_blocks] = q[threadIdx.x];
}

template <int D>
__launch_bounds__(get_nthreads(), D > 128 ? 1 : (D > 64 ? 2 : 3)) __global__ void flash_attn_tile_ext(const float *q, float *dst) {
  dst[threadIdx.x] = q[threadIdx.x * D];
}

static __global__ void quantize_q8(const float *__restrict__ x, void *__restrict__ vy, const int kx) {
  ((float *)vy)[threadIdx.x] = x[threadIdx.x + kx];
}

template __global__ void flash_attn_vec_ext<64, 1, 4>(const float *, float *);
template __global__ void flash_attn_vec_ext<128, 2, 4>(const float *, float *);
template __global__ void flash_attn_tile_ext<64>(const float *, float *);
template __global__ void flash_attn_tile_ext<128>(const float *, float *);
template __global__ void flash_attn_tile_ext<256>(const float *, float *);

void launch(const char *x, float *dst) {
  mul_mat_q<QUANT_Q4_0, 64, true><<<1, 256>>>(x, dst, 1);
  mul_mat_q<QUANT_Q8_0, 128, false><<<1, 256>>>(x, dst, 1);
  mul_mat_vec_q<QUANT_Q4_1, 1><<<1, 128>>>(x, dst);
  mul_mat_vec_q<QUANT_Q4_1, QUANT_MAX_BATCH><<<1, 64>>>(x, dst);
  quantize_q8<<<1, 32>>>(dst, dst, 1);
}
