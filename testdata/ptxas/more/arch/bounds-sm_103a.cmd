+ nvcc -std=c++17 -gencode arch=compute_103a\,code=sm_103a -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
