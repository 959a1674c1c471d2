+ nvcc -arch=sm_90 -Xptxas -v -c unit27.cu -o unit27.o
rc=0
