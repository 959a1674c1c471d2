+ nvcc -arch=sm_80 -rdc=true -Xptxas -v -c rdc-functions-r.cu -o rdc-functions-r.o
rc=0
