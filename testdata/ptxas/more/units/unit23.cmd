+ nvcc -arch=sm_90 -Xptxas -v -c unit23.cu -o unit23.o
rc=0
