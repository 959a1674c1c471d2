+ nvcc -std=c++17 -arch=sm_90 -ptx tiles/gemm.cu -o tiles-gemm-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin tiles/gemm.cu -o /dev/null
rc=0
