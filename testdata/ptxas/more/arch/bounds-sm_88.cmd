+ nvcc -std=c++17 -arch=sm_88 -Xptxas -v -cubin bounds.cu -o b.cubin
rc=0
