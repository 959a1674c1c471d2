+ nvcc -std=c++17 -arch=sm_80 --expt-relaxed-constexpr -ptx tensorlib/ops.cu -o tensorlib-ops-sm_80.ptx
rc=0
+ nvcc -std=c++17 -arch=sm_80 --expt-relaxed-constexpr -Xptxas -v -cubin tensorlib/ops.cu -o /dev/null
rc=0
