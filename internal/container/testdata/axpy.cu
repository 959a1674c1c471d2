__global__ void __launch_bounds__(128) axpy(float a, const float *x, float *y) { y[threadIdx.x] += a * x[threadIdx.x]; }
