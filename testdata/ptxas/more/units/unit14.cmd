+ nvcc -arch=sm_90 -Xptxas -v -c unit14.cu -o unit14.o
rc=0
