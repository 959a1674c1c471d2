+ nvcc -std=c++17 -arch=compute_90a -ptx wgmma.cu -o x.ptx
rc=0
