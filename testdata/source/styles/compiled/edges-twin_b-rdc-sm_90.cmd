+ nvcc -std=c++17 -arch=sm_90 -rdc=true -Xptxas -v -cubin edges/twin_b.cu -o /dev/null
