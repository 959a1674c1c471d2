+ nvcc -arch=sm_90 -Xptxas -v -c unit24.cu -o unit24.o
rc=0
