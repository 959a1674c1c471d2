+ ./nvrtc b.cu --gpu-architecture=sm_90 -std=c++17
rc=0
