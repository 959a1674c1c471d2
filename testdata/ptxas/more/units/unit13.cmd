+ nvcc -arch=sm_90 -Xptxas -v -c unit13.cu -o unit13.o
rc=0
