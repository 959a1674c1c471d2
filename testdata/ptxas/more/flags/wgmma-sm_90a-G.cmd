+ nvcc -std=c++17 -gencode arch=compute_90a\,code=sm_90a -G -Xptxas -v -cubin wgmma.cu -o w.cubin
rc=0
