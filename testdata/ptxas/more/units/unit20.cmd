+ nvcc -arch=sm_90 -Xptxas -v -c unit20.cu -o unit20.o
rc=0
