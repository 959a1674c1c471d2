// Kernels for the tests of occlint tune; record.sh has the compiler's answers.
template <int N>
__device__ __forceinline__ void body(const float *__restrict__ in, float *__restrict__ out, int n) {
    float acc[N];
#pragma unroll
    for (int i = 0; i < N; ++i) acc[i] = in[i * 256 + threadIdx.x];
    for (int k = 0; k < n; ++k) {
        float v = in[k * 256 + threadIdx.x];
#pragma unroll
        for (int i = 0; i < N; ++i) acc[i] = fmaf(acc[i], v, acc[(i + 7) % N]);
    }
#pragma unroll
    for (int i = 0; i < N; ++i) out[i * 256 + threadIdx.x] = acc[i];
}

extern "C" __global__ void __launch_bounds__(256, 4) stencil(const float *in, float *out, int n) { body<48>(in, out, n); }

extern "C" __global__ void plain(float *x) { x[threadIdx.x] *= 2; }

template <int N>
__global__ void __launch_bounds__(N) sized(float *x) { x[threadIdx.x] *= N; }
template __global__ void sized<64>(float *);
template __global__ void sized<128>(float *);
