+ nvcc -std=c++17 -arch=sm_80 -ptx edges/library.cu -o edges-library-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin edges/library.cu -o /dev/null
rc=0
