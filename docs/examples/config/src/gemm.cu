#include "tile.cuh"

namespace lin {

template <typename T>
__global__ void __launch_bounds__(TPB, 4) sgemm(int n, const T *a, const T *b, T *c) {
  extern __shared__ unsigned char tile[];
  multiply(n, a, b, c, reinterpret_cast<T *>(tile));
}

template __global__ void sgemm<float>(int, const float *, const float *, float *);

}  // namespace lin
