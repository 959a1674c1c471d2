// Two more kernels that are each limited by one thing, with a variant each.
//   more time     median of 9 runs;   more    each once, for a profiler
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(e)); exit(1); } } while (0)
namespace own {
// 13: one wave of blocks of which each waits for memory, 1 to 8 shares long: places stay empty when short ones end.
template <int SPREAD> __global__ void __launch_bounds__(256) ragged(const int *next, int *out, int n, int grid) {
  const int m = SPREAD ? n * (1 + (blockIdx.x * 5 / 132) % 8) * 2 / 9 : n;
  int at = (int)((blockIdx.x * 256u + threadIdx.x) & 0xffff);
#pragma unroll 1
  for (int k = 0; k < m; ++k) at = next[at];
  if (at == -1) *out = at;
}
// 14: as a stream, one 4-byte load in flight per thread at full occupancy; 4 in the variant.
template <int LOADS> __global__ void __launch_bounds__(256) stream(const float *in, float *out, int n) {
  float s = 0.f; const int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + (LOADS - 1) * step < n; i += LOADS * step) {
    float v[LOADS];
#pragma unroll
    for (int j = 0; j < LOADS; ++j) v[j] = __ldcv(in + i + j * step);
#pragma unroll
    for (int j = 0; j < LOADS; ++j) s += v[j];
  }
  if (s == 12345.678f) out[threadIdx.x] = s;
}
}  // namespace own
static int *N; static float *A, *O; static const int BIG = 1 << 27;
struct Case { const char *name, *change; void (*run)(); };
int main(int argc, char **argv) {
  using namespace own;
  CK(cudaMalloc(&N, 4 << 16)); CK(cudaMalloc(&A, BIG * 4L)); CK(cudaMalloc(&O, 1 << 20)); CK(cudaMemset(A, 0, BIG * 4L));
  std::vector<int> h(1 << 16); unsigned x = 1; for (auto &v : h) { x = x * 1664525u + 1013904223u; v = x >> 16; }
  CK(cudaMemcpy(N, h.data(), 4 << 16, cudaMemcpyHostToDevice));
  Case cs[] = {
    {"ragged-1056", "blocks of 1 to 8 shares, one wave", [] { ragged<1><<<132 * 8, 256>>>(N, (int *)O, 3000, 132 * 8); }},
    {"ragged-4224", "a quarter of the length, four waves", [] { ragged<1><<<132 * 32, 256>>>(N, (int *)O, 750, 132 * 32); }},
    {"level-1056", "blocks of one length, one wave", [] { ragged<0><<<132 * 8, 256>>>(N, (int *)O, 3000, 132 * 8); }},
    {"stream-1", "one load in flight", [] { stream<1><<<132 * 16, 256>>>(A, O, BIG); }},
    {"stream-4", "4 loads in flight", [] { stream<4><<<132 * 16, 256>>>(A, O, BIG); }},
  };
  bool time = argc > 1 && !strcmp(argv[1], "time");
  if (time) printf("case,change,median_ms,least_ms,most_ms\n");
  for (auto &c : cs) {
    c.run(); CK(cudaDeviceSynchronize());
    if (!time) continue;
    std::vector<float> ms; cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
    for (int r = 0; r < 9; ++r) { cudaEventRecord(a); c.run(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); ms.push_back(m); }
    std::sort(ms.begin(), ms.end()); printf("%s,%s,%.4f,%.4f,%.4f\n", c.name, c.change, ms[4], ms[0], ms[8]);
  }
}
