+ nvcc -std=c++17 -arch=sm_90 -ptx edges/blocksize.cu -o edges-blocksize-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin edges/blocksize.cu -o /dev/null
rc=0
