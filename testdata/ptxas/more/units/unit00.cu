// unit 00
#include <cuda_runtime.h>
__global__ void __launch_bounds__(256, 2) unit00_kernel0(const float *x, float *y, int n) {
    float acc[64];
    __shared__ float tile[3072]; tile[threadIdx.x % 3072] = x[threadIdx.x]; __syncthreads();
#pragma unroll
    for (int i = 0; i < 64; ++i) acc[i] = x[i * 256 + threadIdx.x];
    for (int j = 0; j < n; ++j) {
        float v = x[j];
#pragma unroll
        for (int i = 0; i < 64; ++i) acc[i] = fmaf(acc[i], v, acc[(i + 5) % 64]);
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) y[i * 256 + threadIdx.x] = acc[i] + tile[(threadIdx.x * 7) % 3072];
}
__global__ void __launch_bounds__(128, 40) unit00_kernel1(const float *x, float *y, int n) {
    float acc[24];
    __shared__ float tile[3072]; tile[threadIdx.x % 3072] = x[threadIdx.x]; __syncthreads();
#pragma unroll
    for (int i = 0; i < 24; ++i) acc[i] = x[i * 256 + threadIdx.x];
    for (int j = 0; j < n; ++j) {
        float v = x[j];
#pragma unroll
        for (int i = 0; i < 24; ++i) acc[i] = fmaf(acc[i], v, acc[(i + 5) % 24]);
    }
#pragma unroll
    for (int i = 0; i < 24; ++i) y[i * 256 + threadIdx.x] = acc[i] + tile[(threadIdx.x * 7) % 3072];
}
__global__ void __launch_bounds__(128) unit00_kernel2(const float *x, float *y, int n) {
    float acc[96];
    __shared__ float tile[3072]; tile[threadIdx.x % 3072] = x[threadIdx.x]; __syncthreads();
#pragma unroll
    for (int i = 0; i < 96; ++i) acc[i] = x[i * 256 + threadIdx.x];
    for (int j = 0; j < n; ++j) {
        float v = x[j];
#pragma unroll
        for (int i = 0; i < 96; ++i) acc[i] = fmaf(acc[i], v, acc[(i + 5) % 96]);
    }
#pragma unroll
    for (int i = 0; i < 96; ++i) y[i * 256 + threadIdx.x] = acc[i] + tile[(threadIdx.x * 7) % 3072];
}
