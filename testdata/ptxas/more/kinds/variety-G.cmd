+ nvcc -std=c++17 --extended-lambda -arch=sm_90 -G -Xptxas -v -cubin variety.cu -o v.cubin
rc=0
