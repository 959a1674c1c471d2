+ nvcc -std=c++17 -arch=sm_80 -ptx plain/train.cu -o plain-train-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin plain/train.cu -o /dev/null
rc=0
