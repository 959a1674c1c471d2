#include "activation.cuh"

__device__ float activate(float x) { return x / (1.0f + __expf(-x)); }
