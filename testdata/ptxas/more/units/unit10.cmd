+ nvcc -arch=sm_90 -Xptxas -v -c unit10.cu -o unit10.o
rc=0
