+ nvcc -arch=sm_90 -Xptxas -v -c unit11.cu -o unit11.o
rc=0
