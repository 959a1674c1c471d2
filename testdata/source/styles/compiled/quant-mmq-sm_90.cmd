+ nvcc -std=c++17 -arch=sm_90 -ptx quant/mmq.cu -o quant-mmq-sm_90.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v -cubin quant/mmq.cu -o /dev/null
rc=0
