// Asks the driver how many blocks of many kernels fit on an SM, and counts
// how many really are resident at once.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

template <int LAST>
struct Name {
    static __device__ __forceinline__ void all(int n) {
        Name<LAST - 1>::all(n);
        asm volatile("bar.sync %0, %1;" ::"n"(LAST - 1), "r"(n) : "memory");
    }
};
template <>
struct Name<0> {
    static __device__ __forceinline__ void all(int) {}
};

// N accumulators, STATIC bytes of static shared memory, barriers 0..BAR-1.
template <int N, int STATIC, int BAR>
__global__ void kern(const float *__restrict__ in, float *__restrict__ out, int iters, int *resident, int *peak, long long spin) {
    extern __shared__ float dyn[];
    if (resident && threadIdx.x == 0) {
        unsigned sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        atomicMax(&peak[sm], atomicAdd(&resident[sm], 1) + 1);
        long long t0 = clock64();
        while (clock64() - t0 < spin) {}
        atomicSub(&resident[sm], 1);
    }
    float acc[N];
#pragma unroll
    for (int i = 0; i < N; ++i) acc[i] = in[i * 256 + threadIdx.x];
    for (int it = 0; it < iters; ++it) {
        float v = in[it * 256 + threadIdx.x];
#pragma unroll
        for (int i = 0; i < N; ++i) acc[i] = fmaf(acc[i], v, acc[(i + 7) % N]);
    }
    if constexpr (STATIC > 0) {
        __shared__ char s[STATIC];
        s[threadIdx.x % STATIC] = (char)iters;
        if (iters > 3) out[threadIdx.x + 7] = s[(threadIdx.x * 37) % STATIC];
    }
    if (iters > 1000) { dyn[threadIdx.x] = acc[0]; out[threadIdx.x + 5] = dyn[threadIdx.x ^ 1]; }
    Name<BAR>::all(blockDim.x);
#pragma unroll
    for (int i = 0; i < N; ++i) out[i * 256 + threadIdx.x] = acc[i];
}

typedef void (*K)(const float *, float *, int, int *, int *, long long);
struct Entry { K k; int n, st, bar; };
#define E(N, S, B) {kern<N, S, B>, N, S, B}
#define REGS(S, B) E(2, S, B), E(8, S, B), E(30, S, B), E(60, S, B)
static const Entry entries[] = {
    E(1, 0, 0), E(4, 0, 0), E(10, 0, 0), E(14, 0, 0), E(18, 0, 0), E(22, 0, 0), E(26, 0, 0), E(31, 0, 0), E(35, 0, 0), E(41, 0, 0),
    E(46, 0, 0), E(52, 0, 0), E(58, 0, 0), E(66, 0, 0), E(73, 0, 0), E(82, 0, 0), E(90, 0, 0), E(101, 0, 0), E(115, 0, 0), E(130, 0, 0),
    E(146, 0, 0), E(160, 0, 0), E(180, 0, 0), E(200, 0, 0), E(220, 0, 0), E(239, 0, 0),
    REGS(1, 0), REGS(100, 0), REGS(1024, 0), REGS(4000, 1), REGS(16384, 1), REGS(32768, 0), REGS(49152, 1),
    E(2, 0, 1), E(2, 0, 2), E(2, 0, 3), E(2, 0, 4), E(2, 0, 5), E(2, 0, 6), E(2, 0, 7), E(2, 0, 8), E(2, 0, 9), E(2, 0, 10), E(2, 0, 11),
    E(2, 0, 12), E(2, 0, 13), E(2, 0, 14), E(2, 0, 15), E(2, 0, 16),
    E(30, 0, 2), E(30, 0, 4), E(30, 0, 7), E(30, 0, 11), E(30, 0, 16), E(60, 8192, 2), E(60, 8192, 5), E(60, 8192, 8), E(60, 8192, 16),
};

#define CHECK(x) do { cudaError_t err_ = (x); if (err_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(err_)); exit(1); } } while (0)

static int ask(const Entry &e, int threads, int dyn, int optin) {
    int blocks = 0;
    if (e.st + dyn > optin) return 0;  // the attribute can't be raised that far: no launch
    // Exactly what the launch needs: more is refused where static memory is padded for alignment.
    if (cudaFuncSetAttribute((const void *)e.k, cudaFuncAttributeMaxDynamicSharedMemorySize, dyn) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)e.k, threads, dyn));
    return blocks;
}

int main() {
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    int driver, runtime, clock, mem, bus;
    cudaDriverGetVersion(&driver); cudaRuntimeGetVersion(&runtime);
    cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0);
    cudaDeviceGetAttribute(&mem, cudaDevAttrMemoryClockRate, 0);
    cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, 0);
    fprintf(stderr, "%s SMs %d driver %d runtime %d clock %d kHz mem %d kHz bus %d bits smem/SM %zu smem/block optin %zu reserved %zu regs/SM %d regs/block %d warps/SM %d blocks/SM %d\n",
            p.name, p.multiProcessorCount, driver, runtime, clock, mem, bus, p.sharedMemPerMultiprocessor, p.sharedMemPerBlockOptin,
            p.reservedSharedMemPerBlock, p.regsPerMultiprocessor, p.regsPerBlock, p.maxThreadsPerMultiProcessor / 32, p.maxBlocksPerMultiProcessor);
    int optin = (int)p.sharedMemPerBlockOptin;
    float *in, *out; int *resident, *peak;
    CHECK(cudaMalloc(&in, 64 << 20)); CHECK(cudaMalloc(&out, 64 << 20));
    CHECK(cudaMalloc(&resident, 4096)); CHECK(cudaMalloc(&peak, 4096));
    CHECK(cudaMemset(in, 0, 64 << 20));
    const int threads[] = {32, 33, 64, 96, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640, 768, 800, 896, 1000, 1024};
    const int dyns[] = {0, 1, 127, 128, 1000, 1024, 4096, 8192, 12000, 16384, 20000, 24576, 32768, 49152, 65536, 100000, 131072, 163840, 200000, 231424, 232448};
    printf("accumulators,registers,threads,static_shared,dynamic_shared,named_barriers,local_bytes,blocks,resident\n");
    unsigned seed = 12345;
    for (const Entry &e : entries) {
        cudaFuncAttributes a;
        CHECK(cudaFuncGetAttributes(&a, (const void *)e.k));
        for (int t : threads) for (int d : dyns) {
            int blocks = ask(e, t, d, optin), counted = -1;
            seed = seed * 1664525u + 1013904223u;
            bool barrierRow = e.bar > 1 && d == 0;
            if (blocks > 0 && t % 32 == 0 && t <= a.maxThreadsPerBlock && (barrierRow || (seed >> 16) % 24 == 0)) {
                CHECK(cudaMemset(resident, 0, 4096)); CHECK(cudaMemset(peak, 0, 4096));
                e.k<<<p.multiProcessorCount * blocks * 2, t, d>>>(in, out, 0, resident, peak, 60000);
                CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
                std::vector<int> h(1024);
                CHECK(cudaMemcpy(h.data(), peak, 4096, cudaMemcpyDeviceToHost));
                for (int v : h) counted = v > counted ? v : counted;
            }
            printf("%d,%d,%d,%d,%d,%d,%zu,%d,", e.n, a.numRegs, t, e.st, d, e.bar, a.localSizeBytes, blocks);
            if (counted >= 0) printf("%d\n", counted); else printf("-\n");
        }
    }
    return 0;
}
