+ nvcc -arch=sm_80 -rdc=true -Xptxas -v -c rdc-functions-c.cu -o rdc-functions-c.o
rc=0
