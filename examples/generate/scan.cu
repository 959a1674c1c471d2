// An inclusive scan of 6144 values in one block. It asks for twelve resident
// blocks per SM to hide the latency of its loads; its tile leaves room for nine.
extern "C" __global__ void __launch_bounds__(128, 12) scan(const float* __restrict__ in, float* __restrict__ out) {
  __shared__ float tile[6144];
  const int base = blockIdx.x * 6144;
  for (int i = threadIdx.x; i < 6144; i += 128) tile[i] = in[base + i];
  __syncthreads();
  float sum = 0.0f;
  for (int i = 0; i < 48; ++i) {
    sum += tile[threadIdx.x * 48 + i];
    tile[threadIdx.x * 48 + i] = sum;
  }
  __syncthreads();
  float before = 0.0f;
  for (int t = 0; t < threadIdx.x; ++t) before += tile[t * 48 + 47];
  __syncthreads();
  for (int i = 0; i < 48; ++i) tile[threadIdx.x * 48 + i] += before;
  __syncthreads();
  for (int i = threadIdx.x; i < 6144; i += 128) out[base + i] = tile[i];
}
