+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v\,-O0 -cubin bounds.cu -o x.cubin
rc=0
