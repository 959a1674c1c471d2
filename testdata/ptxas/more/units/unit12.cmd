+ nvcc -arch=sm_90 -Xptxas -v -c unit12.cu -o unit12.o
rc=0
