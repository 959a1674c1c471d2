+ make -j16 ARCH="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90" 2>&1 | cat
rc=0
