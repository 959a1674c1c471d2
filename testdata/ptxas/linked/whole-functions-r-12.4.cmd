+ nvcc -arch=sm_80 -Xptxas -v -cubin rdc-functions-r.cu -o w.cubin
rc=0
