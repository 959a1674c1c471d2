+ nvcc -std=c++17 -arch=sm_90 -rdc=true -Xptxas -v -c linked/rg_w.cu -o x.o
rc=0
