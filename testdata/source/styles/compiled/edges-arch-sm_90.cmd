+ nvcc -std=c++17 -arch=sm_90 -ptx edges/arch.cu -o edges-arch-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin edges/arch.cu -o /dev/null
rc=0
