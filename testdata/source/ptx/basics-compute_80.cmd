+ nvcc -std=c++17 -arch=compute_80 -ptx basics.cu -o x.ptx
rc=0
