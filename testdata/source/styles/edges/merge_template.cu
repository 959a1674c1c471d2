template <int N>
__global__ void __launch_bounds__(N * 32, 2) merged(float *p);
template <int M>
__global__ void merged(float *p) { p[threadIdx.x] = M; }
template __global__ void merged<4>(float *);
template <>
__global__ void __launch_bounds__(64, 0) merged<8>(float *p) { p[threadIdx.x] = 8; }
