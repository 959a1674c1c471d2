// Features of a binary, one kernel each: barriers, shared memory, constants, stack, calls, recursion, bounds.
#include <cstdio>
#include <cstdint>
__constant__ float table[128];
__constant__ int other[7] = {1, 2, 3, 4, 5, 6, 7};
__device__ float global_array[300];
__device__ int global_init[5] = {5, 4, 3, 2, 1};
__device__ int counter;

template <int N> __device__ __noinline__ float callee(float x, const float *p) {
  float a[N];
  for (int i = 0; i < N; i++) a[i] = p[i] * x;
  float s = 0;
  for (int i = 0; i < N; i++) s += a[(i * 7 + int(x)) % N];
  return s;
}
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ float leaf(float x) { return x * x + 1.5f; }
__device__ __noinline__ float middle(float x, int n) { float s = x; for (int i = 0; i < n; i++) s += leaf(s); return s; }
typedef float (*fn)(float);
__device__ fn pick[2] = {leaf, leaf};

template <int N> __global__ void arrays(float *o, const float *p, int n) { o[threadIdx.x] = callee<N>(o[n], p); }
template <int B> __global__ void named(float *o, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = o[n];
  asm volatile("bar.sync %0, 64;" ::"n"(B) : "memory");
  o[threadIdx.x] = s[(threadIdx.x * 7) % 256];
}
__global__ void dynamic_barrier(float *o, int b) { o[0] = b; asm volatile("bar.sync %0, 64;" ::"r"(b) : "memory"); o[1] = o[b]; }
template <int W> __global__ void shared_static(float *o) {
  __shared__ float s[W];
  for (int i = threadIdx.x; i < W; i += blockDim.x) s[i] = i;
  __syncthreads();
  o[threadIdx.x] = s[(threadIdx.x * 33) % W];
}
extern __shared__ float dyn[];
__global__ void shared_dynamic(float *o, int n) { dyn[threadIdx.x] = n; __syncthreads(); o[threadIdx.x] = dyn[n]; }
__global__ void shared_both(float *o, int n) {
  __shared__ double s[10];
  s[threadIdx.x % 10] = n; dyn[threadIdx.x] = n; __syncthreads(); o[threadIdx.x] = dyn[n] + s[n];
}
__global__ void constants(float *o, int n) { o[threadIdx.x] = table[n] + other[n] + global_array[n] + global_init[n]; atomicAdd(&counter, 1); }
__global__ void prints(int n) { printf("%d %d\n", n, threadIdx.x); }
__global__ void allocates(float **o, int n) { o[0] = (float *)malloc(n); free(o[1]); }
__global__ void recursive(int *o, int n) { o[0] = fib(n); }
__global__ void through_pointer(float *o, int n) { o[0] = pick[n & 1](o[1]); }
__global__ void nested(float *o, int n) { o[0] = middle(o[1], n) + leaf(o[2]); }
template <int T, int M> __global__ void __launch_bounds__(T, M) bounded(float *o, const float *p, int n) {
  float a[96];
#pragma unroll
  for (int i = 0; i < 96; i++) a[i] = p[i * n];
  for (int k = 0; k < n; k++)
#pragma unroll
    for (int i = 0; i < 96; i++) a[i] = a[(i + 1) % 96] * a[i] + k;
  float s = 0;
#pragma unroll
  for (int i = 0; i < 96; i++) s += a[i];
  o[threadIdx.x] = s;
}
__global__ void doubles(double *o, int n) { o[threadIdx.x] = sin(o[n]) / o[n + 1] + sqrt(o[2]); }
__global__ void switches(int *o, int n) {
  switch (n) { case 0: o[0] = 1; break; case 1: o[1] *= 3; break; case 2: o[2] = o[3] / n; break; case 3: o[5]++; break; case 4: o[1]--; break; case 5: o[0] = o[9]; break; case 6: o[n] = 6; break; default: o[7] = n; }
}
struct Big { int a[200]; };
__global__ void big_parameters(Big b, int *o, int n) { o[0] = b.a[n]; }
namespace { __global__ void internal_linkage(int *o) { o[0] = 3; } }
void use() { internal_linkage<<<1, 1>>>(0); }
#define I(...) template __global__ void __VA_ARGS__
I(arrays<8>(float *, const float *, int)); I(arrays<64>(float *, const float *, int)); I(arrays<33>(float *, const float *, int));
I(named<1>(float *, int)); I(named<3>(float *, int)); I(named<9>(float *, int)); I(named<15>(float *, int));
I(shared_static<1>(float *)); I(shared_static<257>(float *)); I(shared_static<4096>(float *)); I(shared_static<12288>(float *));
I(bounded<128, 1>(float *, const float *, int)); I(bounded<256, 4>(float *, const float *, int)); I(bounded<512, 2>(float *, const float *, int)); I(bounded<1024, 1>(float *, const float *, int)); I(bounded<256, 40>(float *, const float *, int)); I(bounded<64, 16>(float *, const float *, int)); I(bounded<333, 3>(float *, const float *, int));
