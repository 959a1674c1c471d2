+ nvcc -arch=sm_90 -Xptxas -v -c unit04.cu -o unit04.o
rc=0
