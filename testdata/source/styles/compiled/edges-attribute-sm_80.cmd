+ nvcc -std=c++17 -arch=sm_80 -ptx edges/attribute.cu -o edges-attribute-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin edges/attribute.cu -o /dev/null
rc=0
