// Functions of the standard library, sizes of types, variable templates.
#include <algorithm>
#include <type_traits>
#include <cuda_fp16.h>

constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
template <typename T>
constexpr int kPerThread = 16 / sizeof(T);
template <int N, int M = N * 2>
struct Pair {
  static constexpr int sum = N + M;
};

template <typename T>
__global__ void __launch_bounds__(std::min(512, 4096 / int(sizeof(T)) / 2)) by_size(T *p) { p[0] = T(); }
template __global__ void by_size<float>(float *);
template __global__ void by_size<double>(double *);
template __global__ void by_size<__half>(__half *);

template <typename T>
__global__ void __launch_bounds__(kPerThread<T> * 64, std::is_same<T, double>::value ? 1 : 2) by_variable(T *p) { p[0] = T(); }
template __global__ void by_variable<float>(float *);
template __global__ void by_variable<double>(double *);

__global__ void __launch_bounds__(ceil_div(500, 32) * 32, std::max(1, 2)) by_function(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(Pair<32>::sum) by_default_argument(float *p) { p[0] = 1; }
__global__ void __launch_bounds__(static_cast<int>(256u) + (int)32 - (1 << 5), ~0 + 3) by_casts(float *p) { p[0] = 1; }
