+ nvcc -std=c++17 -arch=all-major --threads 8 -Xptxas -v -c bounds.cu -o x.o
rc=0
