+ nvcc -arch=sm_90 -Xptxas -v -c unit01.cu -o unit01.o
rc=0
