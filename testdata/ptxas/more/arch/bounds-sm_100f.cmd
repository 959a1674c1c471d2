+ nvcc -std=c++17 -gencode arch=compute_100f\,code=sm_100f -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
