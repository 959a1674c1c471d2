+ nvcc -arch=sm_90 -Xptxas -v -c unit22.cu -o unit22.o
rc=0
