__global__ void __launch_bounds__(128, 0) no_minimum(float *p) { p[threadIdx.x] = 1; }
template <int N>
__global__ void __launch_bounds__(N, N > 128 ? 2 : 0) some_minimum(float *p) { p[threadIdx.x] = N; }
template __global__ void some_minimum<64>(float *);
template __global__ void some_minimum<256>(float *);
