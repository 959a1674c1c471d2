// Latency of a dependent load from device memory, and the clock it was measured at.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <random>
#include <algorithm>
#include <cuda_runtime.h>
__global__ void chase(const unsigned *p, int steps, unsigned start, long long *cycles, unsigned *sink) {
    unsigned i = start;
    for (int k = 0; k < 64; ++k) i = p[i];
    long long t0 = clock64();
    for (int k = 0; k < steps; ++k) i = p[i];
    long long t1 = clock64();
    *cycles = t1 - t0; *sink = i;
}
__global__ void warm(float *x, int n) { float v = x[threadIdx.x]; for (int i = 0; i < n; ++i) v = v * 1.0001f + 1e-7f; x[threadIdx.x] = v; }
int main() {
    const size_t stride = 64; // 256 bytes
    for (size_t mib : {4, 16, 32, 256, 1024, 4096}) {
        size_t n = mib * 1024 * 1024 / 4, nodes = n / stride;
        std::vector<unsigned> order(nodes), h(n);
        for (size_t i = 0; i < nodes; ++i) order[i] = i;
        std::mt19937 g(1); std::shuffle(order.begin(), order.end(), g);
        for (size_t i = 0; i < nodes; ++i) h[order[i] * stride] = order[(i + 1) % nodes] * stride;
        unsigned *d, *sink; long long *c, hc; float *w;
        cudaMalloc(&d, n * 4); cudaMalloc(&c, 8); cudaMalloc(&sink, 4); cudaMalloc(&w, 4096); cudaMemset(w, 0, 4096);
        cudaMemcpy(d, h.data(), n * 4, cudaMemcpyHostToDevice);
        warm<<<132, 1024>>>(w, 3000000);
        int steps = (int)std::min<size_t>(nodes, 20000);
        long long best = 1LL << 60;
        cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); float ms = 0;
        for (int r = 0; r < 3; ++r) {
            cudaEventRecord(a); chase<<<1, 1>>>(d, steps, order[(r * 20100) % nodes] * stride, c, sink); cudaEventRecord(b); cudaDeviceSynchronize();
            cudaMemcpy(&hc, c, 8, cudaMemcpyDeviceToHost); if (hc < best) { best = hc; cudaEventElapsedTime(&ms, a, b); }
        }
        printf("%zu MiB: %.1f cycles, about %.0f ns (%s)\n", mib, (double)best / steps, ms * 1e6 / (steps + 64), cudaGetErrorString(cudaGetLastError()));
        cudaFree(d);
    }
}
