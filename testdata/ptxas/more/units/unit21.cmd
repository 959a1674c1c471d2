+ nvcc -arch=sm_90 -Xptxas -v -c unit21.cu -o unit21.o
rc=0
