+ nvcc -std=c++17 -arch=all-major -Xptxas -v -c basics.cu -o x.o
rc=0
