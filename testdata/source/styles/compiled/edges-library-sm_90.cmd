+ nvcc -std=c++17 -arch=sm_90 -ptx edges/library.cu -o edges-library-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin edges/library.cu -o /dev/null
rc=0
