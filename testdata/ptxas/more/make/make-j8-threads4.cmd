+ make -j8 ARCH="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 --threads 4" 2>&1 | cat
rc=0
