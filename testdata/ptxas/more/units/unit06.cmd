+ nvcc -arch=sm_90 -Xptxas -v -c unit06.cu -o unit06.o
rc=0
