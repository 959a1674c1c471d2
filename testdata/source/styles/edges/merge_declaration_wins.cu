__global__ void __launch_bounds__(192, 3) merged(float *p);
__global__ void __launch_bounds__(128) merged(float *p) { p[threadIdx.x] = 1; }
