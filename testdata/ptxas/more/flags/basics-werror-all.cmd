+ nvcc -std=c++17 -arch=sm_90 -Xptxas -v\,-warn-spills\,-Werror -cubin basics.cu -o x.cubin
rc=255
