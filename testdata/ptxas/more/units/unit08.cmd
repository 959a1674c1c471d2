+ nvcc -arch=sm_90 -Xptxas -v -c unit08.cu -o unit08.o
rc=0
