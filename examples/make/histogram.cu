// 64 bins for each warp of a block, merged at the end.
__global__ void __launch_bounds__(256, 4) histogram(const unsigned char* __restrict__ in, unsigned* __restrict__ bins, int n) {
  __shared__ unsigned local[8][64];
  const int warp = threadIdx.x / 32;
  for (int b = threadIdx.x % 32; b < 64; b += 32) local[warp][b] = 0;
  __syncwarp();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&local[warp][in[i] / 4], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 64; b += blockDim.x) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += local[w][b];
    if (sum) atomicAdd(&bins[b], sum);
  }
}
