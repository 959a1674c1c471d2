+ nvcc -arch=sm_90 -Xptxas -v -c unit03.cu -o unit03.o
rc=0
