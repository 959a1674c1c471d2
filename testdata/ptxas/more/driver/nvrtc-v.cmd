+ ./nvrtc b.cu --gpu-architecture=sm_90 -std=c++17 --ptxas-options=-v
rc=0
