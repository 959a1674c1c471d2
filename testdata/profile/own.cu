// Kernels that are each limited by one thing, and for each a second variant that changes that one thing: what the
// change does to the time says whether a verdict was right.
//   own time      median of 9 runs of each variant, as CSV
//   own           each variant once, for a profiler
//   own small     three of them
//   own range     two launches between cudaProfilerStart and Stop
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <algorithm>
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#define CK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)

namespace own {
// 1: random reads with LOADS independent ones per thread; shared memory of the launch limits the blocks.
template <int LOADS> __global__ void __launch_bounds__(256) gather(const float *in, const int *at, float *out, int n) {
  extern __shared__ float keep[];
  float s = 0.f;
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + (LOADS - 1) * step < n; i += LOADS * step) {
    float v[LOADS];
#pragma unroll
    for (int j = 0; j < LOADS; ++j) v[j] = in[i + j * step];
#pragma unroll
    for (int j = 0; j < LOADS; ++j) s += v[j];
  }
  if (s == 12345.678f) { keep[threadIdx.x] = s; out[threadIdx.x] = keep[threadIdx.x ^ 1]; }
}
// 2: float4 streaming, DRAM is full.
__global__ void __launch_bounds__(256) copy4(const float4 *in, float4 *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
// 3: independent fused multiply-adds: the issue slots are full.
template <int A> __global__ void __launch_bounds__(256) fma_many(const float *in, float *out, int n) {
  float a[A]; const float x = in[threadIdx.x], y = in[threadIdx.x + 1];
#pragma unroll
  for (int i = 0; i < A; ++i) a[i] = x + i;
#pragma unroll 1
  for (int k = 0; k < n; ++k)
#pragma unroll
    for (int i = 0; i < A; ++i) a[i] = fmaf(a[i], x, y);
  float s = 0.f;
#pragma unroll
  for (int i = 0; i < A; ++i) s += a[i];
  if (s == 12345.678f) out[threadIdx.x] = s;
}
// 4: an 8 x 8 tile of sums in registers; BLOCKS in the bounds takes the registers away.
template <int BLOCKS> __global__ void __launch_bounds__(256, BLOCKS) outer(const float *a, const float *b, float *out, int n) {
  float acc[8][8] = {}; const int t = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    float x[8], y[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) { x[i] = a[(k & 63) * 8 + i + t]; y[i] = b[(k & 63) * 8 + i + t]; }
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j) acc[i][j] = fmaf(x[i], y[j], acc[i][j]);
  }
  float s = 0.f;
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) s += acc[i][j];
  if (s == 12345.678f) out[t] = s;
}
// 5: a column of a 32-wide tile in shared memory; PAD 1 takes the bank conflicts away.
template <int PAD> __global__ void __launch_bounds__(256) column(const float *in, float *out, int n) {
  __shared__ float s[128 * (32 + PAD)];
  for (int i = threadIdx.x; i < 128 * (32 + PAD); i += 256) s[i] = in[i & 1023];
  __syncthreads();
  float v = 0.f; int c = threadIdx.x >> 5; const int r = threadIdx.x & 31;
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
#pragma unroll
    for (int u = 0; u < 4; ++u) v += s[(r + u * 32) * (32 + PAD) + c];
    c = (c + 1) & 31;
  }
  if (v == 12345.678f) out[threadIdx.x] = v;
}
// 6: one dependent chain per thread (CHAINS independent ones in the variant).
template <int CHAINS> __global__ void __launch_bounds__(128) chain(const float *in, float *out, int n) {
  float a[CHAINS]; const float x = in[threadIdx.x];
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) a[i] = x + i;
#pragma unroll 1
  for (int k = 0; k < n / CHAINS; ++k)
#pragma unroll
    for (int u = 0; u < 8; ++u)
#pragma unroll
      for (int i = 0; i < CHAINS; ++i) a[i] = fmaf(a[i], x, 1.f);
  float s = 0.f;
#pragma unroll
  for (int i = 0; i < CHAINS; ++i) s += a[i];
  if (s == 12345.678f) out[threadIdx.x] = s;
}
// 7: two barriers per step of a block of 1024; WORK multiplies what lies between them.
template <int WORK> __global__ void __launch_bounds__(1024) meet(const float *in, float *out, int n) {
  __shared__ float s[1024];
  float v = in[threadIdx.x];
#pragma unroll 1
  for (int k = 0; k < n; k += WORK) {
    s[threadIdx.x] = v; __syncthreads();
    float t = s[(threadIdx.x + 33) & 1023];
#pragma unroll
    for (int w = 0; w < WORK; ++w) t = fmaf(t, 1.0001f, 0.5f);
    v = t; __syncthreads();
  }
  if (v == 12345.678f) out[threadIdx.x] = v;
}
// 8 and 9: a fixed sum of work dealt out to the grid's blocks; ODD gives every eighth block 12 shares.
template <int ODD> __global__ void __launch_bounds__(256) deal(const float *in, float *out, int total) {
  const int n = total / gridDim.x; const int m = ODD ? (blockIdx.x % 8 == 0 ? n * 12 : n) : n;
  float a = in[threadIdx.x], b = a + 1, c = a + 2, d = a + 3; const float x = in[threadIdx.x + 1];
#pragma unroll 1
  for (int k = 0; k < m; ++k) { a = fmaf(a, x, b); b = fmaf(b, x, c); c = fmaf(c, x, d); d = fmaf(d, x, 1.f); }
  if (a + b + c + d == 12345.678f) out[threadIdx.x] = a;
}
// 10: C = A B^T with the tensor cores (wgmma), bfloat16 in, float out; tiles of 128 x 128 x 64 in 128-byte swizzle,
// STAGES tiles in flight. M, N are multiples of 128, K of 64.
__device__ __forceinline__ uint64_t describe(uint32_t at) {
  return (uint64_t)((at & 0x3FFFF) >> 4) | (1ull << 16) | ((uint64_t)(1024 >> 4) << 32) | (1ull << 62);
}
__device__ __forceinline__ void multiply(float (&d)[64], uint64_t a, uint64_t b) {
#define R4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
  asm volatile("{\nwgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31,"
    "%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63},"
    " %64, %65, 1, 1, 1, 0, 0;\n}"
    : R4(0), R4(4), R4(8), R4(12), R4(16), R4(20), R4(24), R4(28), R4(32), R4(36), R4(40), R4(44), R4(48), R4(52), R4(56), R4(60)
    : "l"(a), "l"(b));
}
__device__ __forceinline__ void tile_in(uint32_t to, const __nv_bfloat16 *from, int k) {
  for (int c = threadIdx.x; c < 128 * 8; c += 256) {
    const int row = c >> 3, chunk = c & 7;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + row * 128 + ((chunk ^ (row & 7)) << 4)), "l"(from + (size_t)row * k + chunk * 8));
  }
}
template <int STAGES> __global__ void __launch_bounds__(256) gemm(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, int n, int k) {
  extern __shared__ unsigned char raw[];
  const uint32_t base = ((uint32_t)__cvta_generic_to_shared(raw) + 1023) & ~1023u;
  const __nv_bfloat16 *ta = a + (size_t)blockIdx.y * 128 * k, *tb = b + (size_t)blockIdx.x * 128 * k;
  float d[64] = {}; const int group = threadIdx.x >> 7, steps = k / 64;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < steps) { tile_in(base + s * 32768, ta + s * 64, k); tile_in(base + s * 32768 + 16384, tb + s * 64, k); }
    asm volatile("cp.async.commit_group;");
  }
#pragma unroll 1
  for (int s = 0; s < steps; ++s) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
    asm volatile("fence.proxy.async;");
    __syncthreads();
    const uint32_t at = base + (s % STAGES) * 32768;
    asm volatile("wgmma.fence.sync.aligned;");
#pragma unroll
    for (int u = 0; u < 4; ++u) multiply(d, describe(at + group * 8192 + u * 32), describe(at + 16384 + u * 32));
    asm volatile("wgmma.commit_group.sync.aligned;");
    const int next = s + STAGES - 1;  // goes where step s - 1 was read, which every warp has left
    if (next < steps) {
      const uint32_t to = base + (next % STAGES) * 32768;
      tile_in(to, ta + next * 64, k); tile_in(to + 16384, tb + next * 64, k);
    }
    asm volatile("cp.async.commit_group;");
    asm volatile("wgmma.wait_group.sync.aligned 0;");
  }
  const int warp = (threadIdx.x >> 5) & 3, lane = threadIdx.x & 31;
  const int row = blockIdx.y * 128 + group * 64 + warp * 16 + (lane >> 2), col = blockIdx.x * 128 + (lane & 3) * 2;
#pragma unroll
  for (int j = 0; j < 16; ++j) {
    *(float2 *)&c[(size_t)row * n + col + j * 8] = make_float2(d[j * 4], d[j * 4 + 1]);
    *(float2 *)&c[(size_t)(row + 8) * n + col + j * 8] = make_float2(d[j * 4 + 2], d[j * 4 + 3]);
  }
}
// 11: as 1 at full occupancy, but each read's address comes from the read before it.
template <int CHAINS> __global__ void __launch_bounds__(256) chase(const int *next, int *out, int n) {
  int at[CHAINS];
#pragma unroll
  for (int j = 0; j < CHAINS; ++j) at[j] = (int)(((blockIdx.x * 256u + threadIdx.x) * CHAINS + j) * 2654435761u & 0x3ffffff);
#pragma unroll 1
  for (int k = 0; k < n / CHAINS; ++k)
#pragma unroll
    for (int j = 0; j < CHAINS; ++j) at[j] = next[at[j]];
  int s = 0;
#pragma unroll
  for (int j = 0; j < CHAINS; ++j) s += at[j];
  if (s == -1) *out = s;
}
// 12: hardly anything at all.
__global__ void brief(float *out) { if (out[threadIdx.x] == 12345.678f) out[threadIdx.x] = 1.f; }
__global__ void __launch_bounds__(256) fill(int *next, __nv_bfloat16 *m, unsigned n) {
  for (unsigned i = blockIdx.x * 256u + threadIdx.x; i < n; i += gridDim.x * 256u) {
    next[i] = (int)((i * 1664525u + 1013904223u) & (n - 1));
    if (i < (1u << 25)) m[i] = __float2bfloat16((float)((int)((i * 2654435761u) >> 29) - 3));
  }
}
}  // namespace own

static float *A, *B, *O, *C; static int *N; static __nv_bfloat16 *M;
static const int BIG = 1 << 26, SIDE = 4096;
struct Case { const char *name, *change; void (*run)(); int smem; const void *f; bool small; };
#define RUN(kern, grid, block, smem, ...) [] { kern<<<grid, block, smem>>>(__VA_ARGS__); }, smem, (const void *)kern
static std::vector<Case> cases() {
  using namespace own;
  return {
    {"gather1-2", "2 blocks by shared memory", RUN(gather<1>, 132 * 16, 256, 100000, A, N, O, BIG), true},
    {"gather1-8", "8 blocks", RUN(gather<1>, 132 * 16, 256, 0, A, N, O, BIG), false},
    {"gather8-2", "2 blocks, 8 loads in flight", RUN(gather<8>, 132 * 16, 256, 100000, A, N, O, BIG), false},
    {"copy-8", "DRAM", RUN(copy4, 132 * 16, 256, 0, (const float4 *)A, (float4 *)C, BIG / 4), false},
    {"copy-4", "half the blocks", RUN(copy4, 132 * 16, 256, 50000, (const float4 *)A, (float4 *)C, BIG / 4), false},
    {"fma-8", "issue", RUN(fma_many<16>, 132 * 16, 256, 0, A, O, 3000), false},
    {"fma-4", "half the blocks", RUN(fma_many<16>, 132 * 16, 256, 50000, A, O, 3000), false},
    {"outer-8", "capped to 32 registers", RUN(outer<8>, 132 * 16, 256, 0, A, B, O, 300), true},
    {"outer-2", "not capped", RUN(outer<2>, 132 * 16, 256, 0, A, B, O, 300), false},
    {"column-0", "bank conflicts", RUN(column<0>, 132 * 24, 256, 0, A, O, 300), false},
    {"column-0-2", "bank conflicts, 2 blocks", RUN(column<0>, 132 * 24, 256, 90000, A, O, 300), false},
    {"column-1", "no conflicts", RUN(column<1>, 132 * 24, 256, 0, A, O, 300), false},
    {"chain-1", "dependent arithmetic, 4 warps", RUN(chain<1>, 132 * 8, 128, 160000, A, O, 8000), false},
    {"chain-4", "4 chains", RUN(chain<4>, 132 * 8, 128, 160000, A, O, 8000), false},
    {"meet-1", "barriers", RUN(meet<1>, 132 * 8, 1024, 0, A, O, 4000), false},
    {"meet-16", "a 16th of the barriers", RUN(meet<16>, 132 * 8, 1024, 0, A, O, 4000), false},
    {"deal-16", "16 blocks", RUN(deal<0>, 16, 256, 0, A, O, 400000), false},
    {"deal-1056", "1056 blocks", RUN(deal<0>, 1056, 256, 0, A, O, 400000), false},
    {"odd", "every eighth block has 12 shares", RUN(deal<1>, 1056, 256, 0, A, O, 4000000), false},
    {"even", "as much work, dealt out evenly", RUN(deal<0>, 1056, 256, 0, A, O, 9500000), false},
    {"gemm-4", "4 stages, 1 block", RUN(gemm<4>, dim3(SIDE / 128, SIDE / 128), 256, 4 * 32768 + 1024, M, M + (1 << 24), C, SIDE, SIDE), true},
    {"gemm-3", "3 stages, 2 blocks", RUN(gemm<3>, dim3(SIDE / 128, SIDE / 128), 256, 3 * 32768 + 1024, M, M + (1 << 24), C, SIDE, SIDE), false},
    {"gemm-2", "2 stages, 2 or 3 blocks", RUN(gemm<2>, dim3(SIDE / 128, SIDE / 128), 256, 2 * 32768 + 1024, M, M + (1 << 24), C, SIDE, SIDE), false},
    {"chase-1", "one load in flight, all warps", RUN(chase<1>, 132 * 8, 256, 0, N, (int *)O, 64), false},
    {"chase-4", "4 loads in flight", RUN(chase<4>, 132 * 8, 256, 0, N, (int *)O, 64), false},
    {"brief", "a few microseconds", RUN(brief, 132, 128, 0, O), false},
  };
}
static void check_gemm() {
  std::vector<__nv_bfloat16> a(SIDE), b(SIDE); float worst = 0;
  for (int t = 0; t < 64; ++t) {
    const int r = (t * 977 + 13) % SIDE, c = (t * 3331 + 7) % SIDE; float got, want = 0;
    CK(cudaMemcpy(a.data(), M + (size_t)r * SIDE, SIDE * 2, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(b.data(), M + (1 << 24) + (size_t)c * SIDE, SIDE * 2, cudaMemcpyDeviceToHost));
    CK(cudaMemcpy(&got, C + (size_t)r * SIDE + c, 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < SIDE; ++i) want += __bfloat162float(a[i]) * __bfloat162float(b[i]);
    worst = std::max(worst, std::abs(got - want));
  }
  fprintf(stderr, "gemm: largest difference of 64 elements from the host's sums: %g\n", worst);
}
int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  CK(cudaMalloc(&A, BIG * 4L)); CK(cudaMalloc(&C, BIG * 4L)); CK(cudaMalloc(&N, BIG * 4L)); CK(cudaMalloc(&B, 1 << 20)); CK(cudaMalloc(&O, 1 << 24)); CK(cudaMalloc(&M, 1L << 26));
  CK(cudaMemset(A, 0, BIG * 4L)); CK(cudaMemset(B, 0, 1 << 20)); CK(cudaMemset(O, 0, 1 << 24));
  own::fill<<<1056, 256>>>(N, M, BIG); CK(cudaDeviceSynchronize());
  if (!strcmp(mode, "time")) printf("case,change,dynamic_shared,median_ms,least_ms,most_ms\n");
  bool ranged = false;
  for (auto &c : cases()) {
    CK(cudaFuncSetAttribute(c.f, cudaFuncAttributeMaxDynamicSharedMemorySize, 180 * 1024));
    if (!strcmp(mode, "small") && !c.small) continue;
    if (strcmp(mode, "time")) {
      if (!strcmp(mode, "range")) { if (ranged) break; ranged = true; cudaProfilerStart(); c.run(); c.run(); CK(cudaDeviceSynchronize()); cudaProfilerStop(); continue; }
      c.run(); CK(cudaDeviceSynchronize()); continue;
    }
    c.run(); CK(cudaDeviceSynchronize());
    if (!strcmp(c.name, "gemm-4") || !strcmp(c.name, "gemm-2")) check_gemm();
    std::vector<float> ms; cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    for (int r = 0; r < 9; ++r) { cudaEventRecord(a); c.run(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); ms.push_back(m); }
    std::sort(ms.begin(), ms.end()); printf("%s,%s,%d,%.4f,%.4f,%.4f\n", c.name, c.change, c.smem, ms[4], ms[0], ms[8]);
  }
}
