+ nvcc -std=c++17 -arch=sm_90 -ptx edges/twin_b.cu -o edges-twin_b-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin edges/twin_b.cu -o /dev/null
rc=0
