+ nvcc -std=c++17 -arch=sm_80 -ptx edges/arch.cu -o edges-arch-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin edges/arch.cu -o /dev/null
rc=0
