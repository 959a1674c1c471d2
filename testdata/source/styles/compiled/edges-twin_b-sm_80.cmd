+ nvcc -std=c++17 -arch=sm_80 -ptx edges/twin_b.cu -o edges-twin_b-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin edges/twin_b.cu -o /dev/null
rc=0
