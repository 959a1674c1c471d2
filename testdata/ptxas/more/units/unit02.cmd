+ nvcc -arch=sm_90 -Xptxas -v -c unit02.cu -o unit02.o
rc=0
