+ nvcc -std=c++17 -arch=sm_90 -maxrregcount=300 -Xptxas -v -cubin basics.cu -o x.cubin
rc=0
