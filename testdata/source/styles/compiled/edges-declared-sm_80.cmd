+ nvcc -std=c++17 -arch=sm_80 -ptx edges/declared.cu -o edges-declared-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin edges/declared.cu -o /dev/null
rc=0
