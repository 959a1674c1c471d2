+ nvcc -std=c++17 -arch=sm_87 -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
