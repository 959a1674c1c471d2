+ nvcc -arch=sm_90 -Xptxas -v -c unit16.cu -o unit16.o
rc=0
