+ nvcc -std=c++17 -arch=sm_80 -DTPB=320 -DUSE_BIG -ptx edges/defines.cu -o edges-defines-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -DTPB=320 -DUSE_BIG -Xptxas -v -cubin edges/defines.cu -o /dev/null
rc=0
