+ nvcc -std=c++17 -arch=compute_80 -ptx bounds.cu -o x.ptx
rc=0
