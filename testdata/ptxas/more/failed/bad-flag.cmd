+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v --no-such-flag -cubin basics.cu -o t.cubin
rc=1
