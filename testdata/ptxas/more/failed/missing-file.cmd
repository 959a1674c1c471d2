+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin nothere.cu -o t.cubin
rc=1
