// A fixed block.
__global__ void __block_size__((128, 2, 1)) fixed_block(float *p) { p[0] = 1; }
