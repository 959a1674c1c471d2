#include "loops.cuh"

namespace tl {
namespace native {
namespace {

template <typename T>
struct AddFunctor {
  T b;
  __device__ T operator()(T a) const { return a + b; }
};

template <typename T>
struct Scatter {
  T *out;
  const int *index;
  __device__ void operator()(int i) const { out[index[i]] = i; }
};

template <typename T>
struct SumOp {
  const T *in;
  T *out;
  int n;
  template <int output_vec>
  __device__ void run() const {
    T acc[output_vec] = {};
    for (int i = threadIdx.x; i < n; i += blockDim.x)
#pragma unroll
      for (int v = 0; v < output_vec; ++v) acc[v] += in[i * output_vec + v];
#pragma unroll
    for (int v = 0; v < output_vec; ++v) atomicAdd(out + v, acc[v]);
  }
};

TL_LAUNCH_BOUNDS_0
__global__ void fill_kernel(float *p, float v) { p[blockIdx.x * blockDim.x + threadIdx.x] = v; }

__global__ void TL_LAUNCH_BOUNDS_1(2048) clamped_kernel(float *p) { p[threadIdx.x] *= 2.f; }

}  // namespace

template __global__ void elementwise_unrolled<AddFunctor<float>, float>(int, AddFunctor<float>, float *);
template __global__ void elementwise_unrolled<AddFunctor<double>, double>(int, AddFunctor<double>, double *);
template __global__ void elementwise_vectorized<2, AddFunctor<float>, float>(int, AddFunctor<float>, float *);
template __global__ void elementwise_vectorized<4, AddFunctor<float>, float>(int, AddFunctor<float>, float *);
template __global__ void index_kernel<128, 4, Scatter<float>>(int, Scatter<float>);
template __global__ void index_kernel<512, 2, Scatter<float>>(int, Scatter<float>);
template __global__ void index_kernel<1024, 1, Scatter<double>>(int, Scatter<double>);
template __global__ void reduce_kernel<512, 1, SumOp<float>>(SumOp<float>);
template __global__ void reduce_kernel<256, 2, SumOp<float>>(SumOp<float>);
template __global__ void reduce_kernel<128, 4, SumOp<float>>(SumOp<float>);

void launch(float *p) {
  fill_kernel<<<1, 256>>>(p, 1.f);
  clamped_kernel<<<1, 256>>>(p);
}

}  // namespace native
}  // namespace tl
