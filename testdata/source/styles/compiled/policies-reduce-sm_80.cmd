+ nvcc -std=c++17 -arch=sm_80 -ptx policies/reduce.cu -o policies-reduce-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin policies/reduce.cu -o /dev/null
rc=0
