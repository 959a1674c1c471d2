+ nvcc -arch=sm_90 -Xptxas -v -c unit15.cu -o unit15.o
rc=0
