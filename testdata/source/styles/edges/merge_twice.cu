__global__ void __launch_bounds__(64) __launch_bounds__(128, 2) merged(float *p) { p[threadIdx.x] = 1; }
