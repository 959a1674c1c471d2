+ nvcc -std=c++17 -arch=sm_90 -ptx edges/declared.cu -o edges-declared-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin edges/declared.cu -o /dev/null
rc=0
