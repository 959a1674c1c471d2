+ nvcc -std=c++17 -arch=compute_90 -ptx basics.cu -o x.ptx
rc=0
