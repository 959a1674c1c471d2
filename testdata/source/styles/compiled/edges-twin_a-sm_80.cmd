+ nvcc -std=c++17 -arch=sm_80 -ptx edges/twin_a.cu -o edges-twin_a-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin edges/twin_a.cu -o /dev/null
rc=0
