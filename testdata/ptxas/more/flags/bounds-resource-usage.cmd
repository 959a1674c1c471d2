+ nvcc -std=c++17 -arch=sm_90 --resource-usage -cubin bounds.cu -o x.cubin
rc=0
