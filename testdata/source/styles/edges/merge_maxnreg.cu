template <int N>
__global__ void __launch_bounds__(N * 32, 2) merged(float *p) { p[threadIdx.x] = N; }
template <>
__global__ void __maxnreg__(40) merged<8>(float *p) { p[threadIdx.x] = 8; }
