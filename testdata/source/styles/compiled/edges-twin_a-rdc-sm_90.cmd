+ nvcc -std=c++17 -arch=sm_90 -rdc=true -Xptxas -v -cubin edges/twin_a.cu -o /dev/null
