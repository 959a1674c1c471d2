+ nvcc -std=c++17 -arch=sm_90 -Xptxas -warn-spills\,-warn-lmem-usage\,-warn-double-usage -cubin basics.cu -o x.cubin
rc=0
# paths rewritten: the temporary folder to /scratch/
