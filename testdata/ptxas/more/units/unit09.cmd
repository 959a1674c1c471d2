+ nvcc -arch=sm_90 -Xptxas -v -c unit09.cu -o unit09.o
rc=0
