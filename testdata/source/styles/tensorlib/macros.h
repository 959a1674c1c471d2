// Launch bounds behind macros that clamp them to what an architecture has, as tensor libraries write them.
#pragma once

#define WARP 32

#if __CUDA_ARCH__ == 750
constexpr unsigned MAX_THREADS_PER_SM = 1024;
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ == 1200
constexpr unsigned MAX_THREADS_PER_SM = 1536;
#else
constexpr unsigned MAX_THREADS_PER_SM = 2048;
#endif
constexpr unsigned MAX_THREADS_PER_BLOCK = 1024;
constexpr unsigned THREADS_PER_BLOCK_FALLBACK = 256;

#define TL_MAX_THREADS(val) (((val) <= MAX_THREADS_PER_BLOCK) ? (val) : THREADS_PER_BLOCK_FALLBACK)
#define TL_MIN_BLOCKS(threads, blocks)                      \
  ((((threads) * (blocks) <= MAX_THREADS_PER_SM) ? (blocks) \
                                                 : ((MAX_THREADS_PER_SM + (threads) - 1) / (threads))))

#define TL_LAUNCH_BOUNDS_0 __launch_bounds__(256, 4)  // default launch bounds
#define TL_LAUNCH_BOUNDS_1(max_threads) __launch_bounds__((TL_MAX_THREADS((max_threads))))
#define TL_LAUNCH_BOUNDS_2(max_threads, min_blocks) \
  __launch_bounds__((TL_MAX_THREADS((max_threads))), (TL_MIN_BLOCKS((max_threads), (min_blocks))))
