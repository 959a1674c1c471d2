+ nvcc -arch=sm_90 -Xptxas -v -c unit25.cu -o unit25.o
rc=0
