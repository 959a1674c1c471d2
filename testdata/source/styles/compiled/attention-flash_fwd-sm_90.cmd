+ nvcc -std=c++17 -arch=sm_90 -ptx attention/flash_fwd.cu -o attention-flash_fwd-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin attention/flash_fwd.cu -o /dev/null
rc=0
