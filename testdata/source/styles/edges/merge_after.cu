__global__ void merged(float *p) { p[threadIdx.x] = 1; }
__global__ void __launch_bounds__(160, 2) merged(float *p);
