+ nvcc -std=c++17 -arch=sm_90 -ptx policies/reduce.cu -o policies-reduce-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin policies/reduce.cu -o /dev/null
rc=0
