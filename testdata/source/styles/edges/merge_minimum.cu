__global__ void __launch_bounds__(192) merged(float *p);
__global__ void __launch_bounds__(192, 2) merged(float *p) { p[threadIdx.x] = 1; }
