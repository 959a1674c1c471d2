+ nvcc -std=c++17 -arch=sm_90 -ptx edges/attribute.cu -o edges-attribute-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin edges/attribute.cu -o /dev/null
rc=0
