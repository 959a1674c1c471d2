+ nvcc -std=c++17 -gencode arch=compute_90a\,code=sm_90a -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
