// The PTX beside this file is nvcc 12.4's:
//   nvcc -arch=sm_90 -ptx dynamic.cu -o dynamic_sm_90.ptx
//   nvcc -arch=sm_90 -rdc=true -ptx dynamic.cu -o dynamic_sm_90_rdc.ptx

extern __shared__ float dyn[];
extern __shared__ double other_dyn[];
static __shared__ float fixed[64];

__device__ __noinline__ float through(int i) { return dyn[i]; }
__device__ __noinline__ float twice(int i) { return through(i) + 1; }

struct Base {
  __device__ virtual float f(int) = 0;
};
struct Derived : Base {
  __device__ float f(int i) override { return dyn[i]; }
};

extern "C" {
// uses none
__global__ void none(float *p) { p[0] = 1; }

// uses dyn
__global__ void itself(float *p) {
  dyn[threadIdx.x] = p[0];
  __syncthreads();
  p[1] = dyn[3];
}

// uses dyn, in a function
__global__ void called(float *p) { p[0] = through(threadIdx.x); }

// uses dyn, in a function that a function calls
__global__ void calls_twice(float *p) { p[0] = twice(threadIdx.x); }

// uses dyn, behind a table of virtual functions
__global__ void virtual_call(float *p, Base *b) {
  Derived d;
  if (p[3] > 0) b = &d;
  p[0] = b->f(threadIdx.x);
}

// a static array, of the file
__global__ void sized(float *p) {
  fixed[threadIdx.x] = p[0];
  __syncthreads();
  p[1] = fixed[3];
}

// a static array, of its own
__global__ void static_array(float *p) {
  __shared__ float own[64];
  own[threadIdx.x] = p[0];
  __syncthreads();
  p[1] = own[3];
}

// has a parameter of the array's name
__global__ void parameter(float *dyn) { dyn[1] = 2; }

// uses none, and is in a cluster
__global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128, 2) clustered(float *p) { p[0] = 1; }

// uses other_dyn
__global__ void other(double *p) {
  other_dyn[threadIdx.x] = p[0];
  __syncthreads();
  p[1] = other_dyn[3];
}
}
