template <int N>
__global__ void __launch_bounds__(N * 32) scale(float *x) { x[threadIdx.x] *= N; }
template __global__ void scale<1>(float *);
template __global__ void scale<2>(float *);
template __global__ void scale<3>(float *);
template __global__ void scale<4>(float *);
template __global__ void scale<5>(float *);
template __global__ void scale<6>(float *);
template __global__ void scale<7>(float *);
template __global__ void scale<8>(float *);
template __global__ void scale<9>(float *);
