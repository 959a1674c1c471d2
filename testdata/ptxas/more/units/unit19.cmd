+ nvcc -arch=sm_90 -Xptxas -v -c unit19.cu -o unit19.o
rc=0
