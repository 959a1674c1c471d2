+ nvcc -arch=sm_80 -G -Xptxas -v -cubin rdc-functions-r.cu -o g.cubin
rc=0
