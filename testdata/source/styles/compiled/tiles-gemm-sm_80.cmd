+ nvcc -std=c++17 -arch=sm_80 -ptx tiles/gemm.cu -o tiles-gemm-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin tiles/gemm.cu -o /dev/null
rc=0
