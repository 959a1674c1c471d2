#pragma once

template <typename T>
__device__ void multiply(int n, const T *a, const T *b, T *c, T *tile) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = a[i] * b[i];
  c[i] = tile[threadIdx.x];
}
