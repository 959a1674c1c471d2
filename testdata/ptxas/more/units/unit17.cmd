+ nvcc -arch=sm_90 -Xptxas -v -c unit17.cu -o unit17.o
rc=0
