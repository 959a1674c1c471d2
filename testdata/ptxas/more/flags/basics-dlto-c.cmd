+ nvcc -std=c++17 -gencode arch=compute_90\,code=lto_90 -Xptxas -v -dc basics.cu -o x.o
rc=0
