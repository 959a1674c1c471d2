+ nvcc -std=c++17 -arch=sm_20 -Xptxas -v -cubin basics.cu -o t.cubin
rc=1
