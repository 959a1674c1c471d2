// The attribute that the macro stands for.
__attribute__((launch_bounds(160, 2))) __global__ void spelled_out(float *p) { p[0] = 1; }
