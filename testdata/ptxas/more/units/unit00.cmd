+ nvcc -arch=sm_90 -Xptxas -v -c unit00.cu -o unit00.o
rc=0
