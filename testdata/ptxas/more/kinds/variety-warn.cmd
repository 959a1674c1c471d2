+ nvcc -std=c++17 --extended-lambda -arch=sm_90 -Xptxas -v\,-warn-spills\,-warn-lmem-usage\,-warn-double-usage -cubin variety.cu -o v.cubin
rc=0
# paths rewritten: the temporary folder to /scratch/
