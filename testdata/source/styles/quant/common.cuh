#pragma once

#define WARP_SIZE 32
#define CC_TURING 750
#define CC_AMPERE 800

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= CC_AMPERE
#define CP_ASYNC_AVAILABLE
#endif

#define QUANT_MAX_BATCH 8

enum quant_type { QUANT_Q4_0 = 2, QUANT_Q4_1, QUANT_Q5_0 = 6, QUANT_Q8_0 = QUANT_Q5_0 + 2, QUANT_COUNT };

struct block_q4 {
  unsigned short d;
  unsigned char qs[16];
};
