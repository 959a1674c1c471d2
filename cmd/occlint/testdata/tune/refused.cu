extern "C" __global__ void __launch_bounds__(128) refused(float *x) {
    __shared__ float s[128];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = s[(threadIdx.x * 7) & 127];
}
