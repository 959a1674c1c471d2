+ nvcc -arch=sm_90 -Xptxas -v -c unit26.cu -o unit26.o
rc=0
