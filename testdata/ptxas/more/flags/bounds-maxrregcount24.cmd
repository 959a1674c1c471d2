+ nvcc -std=c++17 -arch=sm_90 -maxrregcount=24 -Xptxas -v -cubin bounds.cu -o x.cubin
rc=0
