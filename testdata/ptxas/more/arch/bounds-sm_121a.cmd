+ nvcc -std=c++17 -gencode arch=compute_121a\,code=sm_121a -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
