+ nvcc -std=c++17 -arch=sm_90 --split-compile=8 -Xptxas -v -cubin basics.cu -o x.cubin
rc=0
