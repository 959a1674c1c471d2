+ nvcc -std=c++17 -arch=sm_90 -ptx edges/twin_a.cu -o edges-twin_a-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin edges/twin_a.cu -o /dev/null
rc=0
