extern "C" __global__ void __launch_bounds__(512, 16) dropped(float *x) { x[threadIdx.x] *= 2; }
extern "C" __global__ void __launch_bounds__(256, 2, 4) clustered(float *x) { x[threadIdx.x] *= 3; }
