+ nvcc -std=c++17 -arch=sm_90 -maxrregcount=128 -Xptxas -v -cubin basics.cu -o x.cubin
rc=0
