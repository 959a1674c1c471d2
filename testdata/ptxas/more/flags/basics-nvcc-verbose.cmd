+ nvcc -std=c++17 -arch=sm_90 --verbose -Xptxas -v -cubin basics.cu -o x.cubin
rc=0
# paths rewritten: the source folder to /src/logs, the temporary folder to /scratch/
