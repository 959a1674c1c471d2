+ nvcc -std=c++17 -arch=sm_80 -ptx quant/mmq.cu -o quant-mmq-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 -Xptxas -v -cubin quant/mmq.cu -o /dev/null
rc=0
