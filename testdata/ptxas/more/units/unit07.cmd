+ nvcc -arch=sm_90 -Xptxas -v -c unit07.cu -o unit07.o
rc=0
