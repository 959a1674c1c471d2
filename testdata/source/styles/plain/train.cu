/*
One file, plain kernels, numbers where they are used. Comments such as
__global__ void __launch_bounds__(64) not_a_kernel() {} are only comments.
*/
#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define WARP_SIZE 32U

typedef float floatX;

#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ >= 900)
#define MAX_1024_THREADS_BLOCKS 2
#else
#define MAX_1024_THREADS_BLOCKS 1
#endif

const char *banner = "__global__ void __launch_bounds__(32) in_a_string() {";
const char *raw = R"cu(
__global__ void __launch_bounds__(96) in_a_raw_string() { /* ")" is not the end */ }
)cu";

__device__ float warpReduceSum(float val) {
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_xor_sync(0xFFFFFFFF, val, offset);
  return val;
}

__global__ void encoder_forward_kernel(floatX *out, const int *inp, const floatX *wte, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) out[idx] = wte[inp[idx]];
}

__global__ void __launch_bounds__(512, 2)  // todo - any warnings on Turing with only 1024 threads?
matmul_backward_bias_kernel(floatX *dbias, const floatX *dout, int B, int T, int OC) {
  extern __shared__ float shared[];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < B * T; i += blockDim.x) sum += dout[i * OC + blockIdx.x];
  shared[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) dbias[blockIdx.x] += shared[0];
}

template <bool WriteDLogits = true, bool WriteProbs = false>
__global__ void __launch_bounds__(1024, MAX_1024_THREADS_BLOCKS)
fused_classifier_kernel5(floatX *logits, float *losses, floatX *probs, int V) {
  float maxval = -1e30f;
  for (int i = threadIdx.x; i < V; i += blockDim.x) maxval = fmaxf(maxval, logits[i]);
  maxval = warpReduceSum(maxval);
  if (WriteDLogits) logits[threadIdx.x] = maxval;
  if (WriteProbs) probs[threadIdx.x] = maxval;
  losses[blockIdx.x] = maxval;
}
template __global__ void fused_classifier_kernel5<true, false>(floatX *, float *, floatX *, int);
template __global__ void fused_classifier_kernel5<false, true>(floatX *, float *, floatX *, int);

template <int BlockSize>
__global__ void __launch_bounds__(BlockSize) softmax_autoregressive_backward_kernel(float *dpreatt, const float *att, int T) {
  __shared__ float block_acc[32];
  float acc = 0;
  for (int t = threadIdx.x; t < T; t += BlockSize) acc += att[t] * dpreatt[t];
  acc = warpReduceSum(acc);
  if (threadIdx.x % WARP_SIZE == 0) block_acc[threadIdx.x / WARP_SIZE] = acc;
  __syncthreads();
  dpreatt[blockIdx.x * BlockSize + threadIdx.x] = block_acc[0];
}
template __global__ void softmax_autoregressive_backward_kernel<32>(float *, const float *, int);
template __global__ void softmax_autoregressive_backward_kernel<256>(float *, const float *, int);
template __global__ void softmax_autoregressive_backward_kernel<1024>(float *, const float *, int);

#if 0
__global__ void __launch_bounds__(64) encoder_forward_kernel(floatX *out) {}
#endif

__global__ void __launch_bounds__(CEIL_DIV(700, WARP_SIZE) * WARP_SIZE) adamw_kernel(float *params, const float *grads, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) params[i] -= 0.1f * grads[i];
}
