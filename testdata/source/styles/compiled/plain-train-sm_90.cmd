+ nvcc -std=c++17 -arch=sm_90 -ptx plain/train.cu -o plain-train-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin plain/train.cu -o /dev/null
rc=0
