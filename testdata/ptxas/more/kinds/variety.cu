// Kernels of many kinds: internal linkage, templates, callees, recursion, local arrays, double precision, printf.
#include <cstdio>
#include <cuda_runtime.h>

namespace lin {
template <typename T, int TILE> __global__ void __launch_bounds__(TILE *TILE, 2) sgemm(int n, const T *a, const T *b, T *c) {
    __shared__ T as[TILE][TILE + 1], bs[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x % TILE, y = blockIdx.y * TILE + threadIdx.x / TILE;
    T sum = 0;
    for (int k = 0; k < n; k += TILE) {
        as[threadIdx.x / TILE][threadIdx.x % TILE] = a[y * n + k + threadIdx.x % TILE];
        bs[threadIdx.x / TILE][threadIdx.x % TILE] = b[(k + threadIdx.x / TILE) * n + x];
        __syncthreads();
        for (int i = 0; i < TILE; ++i) sum += as[threadIdx.x / TILE][i] * bs[i][threadIdx.x % TILE];
        __syncthreads();
    }
    c[y * n + x] = sum;
}
template __global__ void sgemm<float, 16>(int, const float *, const float *, float *);
template __global__ void sgemm<float, 32>(int, const float *, const float *, float *);
template __global__ void sgemm<double, 16>(int, const double *, const double *, double *);
template <class F> __global__ void apply(F f, float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = f(x[i]);
}
}  // namespace lin

namespace {
__device__ __noinline__ float heavy(const float *x, int n) {
    float acc[40];
    for (int i = 0; i < 40; ++i) acc[i] = x[i];
    for (int k = 0; k < n; ++k) for (int i = 0; i < 40; ++i) acc[i] = fmaf(acc[i], x[k], acc[(i + 3) % 40]);
    float s = 0;
    for (int i = 0; i < 40; ++i) s += acc[i];
    return s;
}
__global__ void anonymous(const float *x, float *y, int n) { y[threadIdx.x] = heavy(x, n) + heavy(x + n, n); }
}  // namespace
static __global__ void internal(const float *x, float *y, int n) { y[threadIdx.x] = x[threadIdx.x] * n; }

__device__ int depth(int n) { return n < 2 ? n : depth(n - 1) + depth(n - 2); }
__global__ void recursive(int *out, int n) { out[threadIdx.x] = depth(n); }
__global__ void indexed(const int *idx, float *out) {
    float a[64];
    for (int i = 0; i < 64; ++i) a[i] = out[i];
    out[threadIdx.x] = a[idx[threadIdx.x] & 63];
}
__global__ void doubles(const double *x, double *y) { y[threadIdx.x] = pow(x[threadIdx.x], y[threadIdx.x]) + sin(x[threadIdx.x]) / erf(y[threadIdx.x]); }
__global__ void prints(int n) { if (n > 3) printf("%d\n", n); }
__global__ void dynamic_shared(float *x) { extern __shared__ float s[]; s[threadIdx.x] = x[threadIdx.x]; __syncthreads(); x[threadIdx.x] = s[255 - threadIdx.x]; }
__global__ void named(float *x) {
    asm volatile("bar.sync 1, 64;"); x[threadIdx.x] += 1; asm volatile("bar.sync 7, 64;"); x[threadIdx.x] += 2;
}
__global__ void any_barrier(float *x, int id) { asm volatile("bar.sync %0, 64;" ::"r"(id)); x[threadIdx.x] += 1; }
__global__ void __cluster_dims__(2, 1, 1) clustered(float *x) {
    __shared__ float s[128];
    s[threadIdx.x] = x[threadIdx.x];
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
#endif
    __syncthreads();
    x[threadIdx.x] = s[127 - threadIdx.x];
}
void use(float *x, const float *y, int n) {
    internal<<<1, 32>>>(y, x, n);
    anonymous<<<1, 32>>>(y, x, n);
    lin::apply<<<1, 32>>>([=] __device__(float v) { return v * n; }, x, n);
    lin::apply<<<1, 32>>>([] __device__(float v) { return sqrtf(v); }, x, n);
}
