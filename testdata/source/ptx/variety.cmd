+ nvcc -std=c++17 --extended-lambda -arch=compute_90 -ptx variety.cu -o x.ptx
rc=0
