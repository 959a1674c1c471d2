+ bash -c nvcc\ -std=c++17\ -arch=sm_90\ -rdc=true\ -Xptxas\ -v\ -c\ rdc_b.cu\ -o\ b.o\ \&\&\ nvcc\ -std=c++17\ -arch=sm_90\ -rdc=true\ -Xnvlink\ -v\ -dlink\ b.o\ -o\ rdc.exe\;\ nvcc\ -std=c++17\ -arch=sm_90\ -rdc=true\ -Xptxas\ -v\ -c\ rdc_a.cu\ -o\ a.o\ \&\&\ nvcc\ -std=c++17\ -arch=sm_90\ -rdc=true\ -Xnvlink\ -v\ -dlink\ a.o\ -o\ rdc.exe
rc=255
