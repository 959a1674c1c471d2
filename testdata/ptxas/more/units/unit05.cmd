+ nvcc -arch=sm_90 -Xptxas -v -c unit05.cu -o unit05.o
rc=0
