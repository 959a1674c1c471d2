// Kernels of many shapes of control flow: what a reader of compiled loops has to get right.
#include <cstdio>

// 1. Loops in loops, by template: depth and trip counts known only at run time.
template <int D> struct Nest {
  static __device__ __forceinline__ float go(const float *in, const int *n, float s) {
#pragma unroll 1
    for (int i = 0; i < n[D]; ++i) { s = fmaf(s, in[i + D], 1.f); s = Nest<D - 1>::go(in, n, s); s += in[i * D]; }
    return s;
  }
};
template <> struct Nest<0> {
  static __device__ __forceinline__ float go(const float *in, const int *n, float s) { return s + in[n[0]]; }
};
template <int D> __global__ void nest(const float *in, const int *n, float *out) { out[threadIdx.x] = Nest<D>::go(in, n, in[threadIdx.x]); }
template __global__ void nest<1>(const float *, const int *, float *);
template __global__ void nest<2>(const float *, const int *, float *);
template __global__ void nest<3>(const float *, const int *, float *);
template __global__ void nest<4>(const float *, const int *, float *);
template __global__ void nest<6>(const float *, const int *, float *);

// 2. Accumulators under a cap: spills in the inner loop, in the outer one, or in none.
template <int A, int B, int IN> __global__ void __launch_bounds__(256, B) press(const float *in, float *out, int n, int m) {
  float v[A];
#pragma unroll
  for (int i = 0; i < A; ++i) v[i] = in[threadIdx.x + i * 256];
#pragma unroll 1
  for (int r = 0; r < m; ++r) {
    float s = in[r];
#pragma unroll 1
    for (int k = 0; k < n; ++k) {
      s = fmaf(s, in[k], 0.5f);
      if (IN) {
#pragma unroll
        for (int i = 0; i < A; ++i) v[i] = fmaf(v[i], s, v[(i + 1) % A]);
      }
    }
    if (!IN) {
#pragma unroll
      for (int i = 0; i < A; ++i) v[i] = fmaf(v[i], s, v[(i + 1) % A]);
    }
  }
#pragma unroll
  for (int i = 0; i < A; ++i) out[threadIdx.x + i * 256] = v[i];
}
#define PRESS(A, B) template __global__ void press<A, B, 0>(const float *, float *, int, int); template __global__ void press<A, B, 1>(const float *, float *, int, int);
PRESS(20, 8) PRESS(36, 8) PRESS(64, 8) PRESS(64, 4) PRESS(100, 4) PRESS(100, 2)

// 3. The same with wide and narrow values.
template <class T, int A> __global__ void __launch_bounds__(256, 8) typed(const T *in, T *out, int n) {
  T v[A];
#pragma unroll
  for (int i = 0; i < A; ++i) v[i] = in[threadIdx.x + i * 256];
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    T s = in[k];
#pragma unroll
    for (int i = 0; i < A; ++i) v[i] = v[i] * s + v[(i + 1) % A];
  }
#pragma unroll
  for (int i = 0; i < A; ++i) out[threadIdx.x + i * 256] = v[i];
}
template __global__ void typed<double, 24>(const double *, double *, int);
template __global__ void typed<short, 48>(const short *, short *, int);
template __global__ void typed<unsigned char, 60>(const unsigned char *, unsigned char *, int);
template __global__ void typed<long long, 20>(const long long *, long long *, int);
struct alignas(16) F4 { float x, y, z, w; };
__device__ __forceinline__ F4 operator*(F4 a, F4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
__device__ __forceinline__ F4 operator+(F4 a, F4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
template __global__ void typed<F4, 12>(const F4 *, F4 *, int);

// 4. Local arrays: indexed at run time, with and without spills beside them.
template <class T, int N> __global__ void array(const int *idx, const T *in, T *out, int n) {
  T v[N];
  for (int i = 0; i < N; ++i) v[i] = in[threadIdx.x + i];
  for (int k = 0; k < n; ++k) v[idx[k] % N] += v[idx[k + 1] % N];
  T s = 0;
  for (int i = 0; i < N; ++i) s += v[i];
  out[threadIdx.x] = s;
}
template __global__ void array<float, 8>(const int *, const float *, float *, int);
template __global__ void array<char, 40>(const int *, const char *, char *, int);
template __global__ void array<double, 16>(const int *, const double *, double *, int);
template <int N, int W> __global__ void __launch_bounds__(256, 8) mixed(const int *idx, const float *in, float *out, int n) {
  float v[N], w[W];
  for (int i = 0; i < N; ++i) v[i] = in[threadIdx.x + i];
#pragma unroll
  for (int i = 0; i < W; ++i) w[i] = in[threadIdx.x * W + i];
  float s = 0.f;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    s += v[idx[k] % N]; v[idx[k + 1] % N] = s;
#pragma unroll
    for (int i = 0; i < W; ++i) w[i] = fmaf(w[i], s, w[(i + 3) % W]);
  }
#pragma unroll
  for (int i = 0; i < W; ++i) out[threadIdx.x * W + i] = w[i];
}
template __global__ void mixed<8, 30>(const int *, const float *, float *, int);
template __global__ void mixed<16, 44>(const int *, const float *, float *, int);
template __global__ void mixed<33, 60>(const int *, const float *, float *, int);

// 5. Calls: not inlined, in loops; one calls another; recursion; function pointers.
__device__ __noinline__ float leaf(float s, const float *in, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) s = fmaf(s, in[i], 2.f);
  return s;
}
__device__ __noinline__ float middle(float s, const float *in, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) s += leaf(s, in + i, n - i);
  return s;
}
__device__ __noinline__ float heavy(float s, const float *in, int n) {
  float v[200];
#pragma unroll
  for (int i = 0; i < 200; ++i) v[i] = in[i] * s;
#pragma unroll 1
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < 200; ++i) v[i] = fmaf(v[i], s, v[(i + 7) % 200]);
  float r = 0.f;
#pragma unroll
  for (int i = 0; i < 200; ++i) r += v[i];
  return r;
}
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ float fa(float x) { return x + 1.f; }
__device__ float fb(float x) { return x * 2.f; }
__device__ float fc(float x) { return x - 3.f; }
typedef float (*Fn)(float);
__device__ Fn table[3] = {fa, fb, fc};
__global__ void call_leaf(const float *in, float *out, int n) { out[threadIdx.x] = leaf(1.f, in, n); }
__global__ void call_middle(const float *in, float *out, int n) {
  float s = 0.f;
#pragma unroll 1
  for (int k = 0; k < n; ++k) s += middle(s, in, k);
  out[threadIdx.x] = s;
}
__global__ void __launch_bounds__(256, 2) call_heavy(const float *in, float *out, int n) {
  float s = 1.f;
#pragma unroll 1
  for (int k = 0; k < n; ++k) s += heavy(s, in, k);
  out[threadIdx.x] = s;
}
__global__ void call_fib(int *out, int n) { out[threadIdx.x] = fib(n + threadIdx.x); }
__global__ void call_pointer(const int *op, float *out, int n) {
  float s = 0.f;
#pragma unroll 1
  for (int k = 0; k < n; ++k) s = table[op[k] % 3](s);
  out[threadIdx.x] = s;
}
__global__ void call_printf(const float *in, int n) {
  for (int k = 0; k < n; ++k) if (in[k] < 0.f) printf("%d %f\n", k, in[k]);
}

// 6. Branches of every kind.
__global__ void switches(const int *op, const float *in, float *out, int n) {
  float s = in[threadIdx.x];
  for (int k = 0; k < n; ++k) {
    switch (op[k]) {
      case 0: s += in[k]; break;
      case 1: s *= in[k]; break;
      case 2: s = sinf(s); break;
      case 3: s = s / in[k]; break;
      case 4: for (int j = 0; j < op[k + 1]; ++j) s += in[j];  // falls through
      case 5: s = sqrtf(s); break;
      case 6: continue;
      case 7: s = expf(s); break;
      case 8: s -= in[k * 2]; break;
      case 9: out[0] = s; return;
      case 10: s = cosf(s); break;
      case 11: s = powf(s, in[k]); break;
      default: s = -s;
    }
    s += 1.f;
  }
  out[threadIdx.x] = s;
}
__global__ void many_exits(const int *op, const float *in, float *out, int n) {
  float s = in[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < op[i]; ++j) {
      if (in[j] == s) goto done;
      if (in[j] > 2.f * s) break;
      if (in[j] < -s) return;
      s += in[j];
      if (s > 100.f) { s = 0.f; continue; }
      s *= 0.5f;
    }
    do { s -= in[i]; } while (s > in[i + 1]);
  }
done:
  out[threadIdx.x] = s;
}
__global__ void irreducible(const int *op, const float *in, float *out, int n) {
  float s = in[threadIdx.x]; int i = 0;
  if (op[threadIdx.x] & 1) goto b;
a:
  s = fmaf(s, in[i], 1.f); ++i;
  if (op[i] == 7) goto c;
b:
  s = s * in[i] - 2.f; ++i;
  if (i < n) goto a;
c:
  out[threadIdx.x] = s;
}
__global__ void machine(const int *op, const float *in, float *out, int n) {
  float s = in[threadIdx.x]; int st = 0, i = 0;
  while (i < n) {
    switch (st) {
      case 0: while (op[i] == 0 && i < n) { s += in[i]; ++i; } st = op[i] & 3; break;
      case 1: s *= in[i++]; if (s > 9.f) st = 2; else st = 3; break;
      case 2: do { s -= 1.f; } while (s > 4.f); st = 0; ++i; break;
      default: st = (op[i] >> 2) & 3; ++i;
    }
  }
  out[threadIdx.x] = s;
}
__global__ void warps(const int *op, int *out, int n) {
  int s = op[threadIdx.x];
  for (int k = 0; k < n; ++k) {
    if ((threadIdx.x & 31) < (op[k] & 31)) { s += __shfl_xor_sync(__activemask(), s, 1); __syncwarp(); }
    else { for (int j = 16; j; j >>= 1) s ^= __shfl_down_sync(__activemask(), s, j); }
    while (atomicCAS(out, 0, 1)) { }
    out[threadIdx.x + 1] += s; atomicExch(out, 0);
  }
  out[threadIdx.x + 4096] = s;
}
__global__ void blocks(const float *in, float *out, int n) {
  __shared__ float tile[32][33]; float s = 0.f;
  for (int k = 0; k < n; k += 32) {
    tile[threadIdx.y][threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 32; ++j) s = fmaf(tile[j][threadIdx.x], tile[threadIdx.y][j], s);
    __syncthreads();
    if (s != s) asm volatile("trap;");
  }
  out[threadIdx.x] = s;
}
__global__ void forever(volatile int *flag, int *out) { while (true) { if (*flag == 1) { out[0] = 1; __threadfence(); } } }
__global__ void divisions(const double *in, double *out, const long long *a, long long *b, int n) {
  double s = in[threadIdx.x]; long long q = a[threadIdx.x];
  for (int k = 0; k < n; ++k) { s = s / in[k] + sqrt(in[k + 1]); q = q / a[k] + q % a[k + 1]; }
  out[threadIdx.x] = s; b[threadIdx.x] = q;
}
__global__ void empty() {}
