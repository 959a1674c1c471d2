+ nvcc -arch=sm_90 -Xptxas -v -c unit18.cu -o unit18.o
rc=0
