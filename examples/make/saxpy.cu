#include "vec.cuh"

__global__ void __launch_bounds__(256, 8) saxpy(int n, float a, const float* __restrict__ x, float* __restrict__ y) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 >= n) return;
  float4 v = load4(y + i);
  const float4 u = load4(x + i);
  v.x += a * u.x;
  v.y += a * u.y;
  v.z += a * u.z;
  v.w += a * u.w;
  *reinterpret_cast<float4*>(y + i) = v;
}
