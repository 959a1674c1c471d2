+ nvcc -std=c++17 --extended-lambda -arch=sm_80 -Xptxas -v -cubin variety.cu -o v.cubin
rc=1
