+ nvcc -std=c++17 -gencode arch=compute_120f\,code=sm_120f -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
