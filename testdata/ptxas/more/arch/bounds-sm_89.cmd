+ nvcc -std=c++17 -arch=sm_89 -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
