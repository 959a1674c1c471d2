// One block sums 8192 values in shared memory.
__global__ void __launch_bounds__(256, 4) reduce_sum(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float tile[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) {
    const int at = blockIdx.x * 8192 + i;
    tile[i] = at < n ? in[at] : 0.0f;
  }
  __syncthreads();
  for (int width = 4096; width > 0; width /= 2) {
    for (int i = threadIdx.x; i < width; i += blockDim.x) tile[i] += tile[i + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = tile[0];
}
