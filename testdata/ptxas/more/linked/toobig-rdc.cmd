+ bash -c nvcc\ -std=c++17\ -arch=sm_90\ -rdc=true\ -Xptxas\ -v\ -c\ toobig.cu\ -o\ t.o\ \&\&\ nvcc\ -std=c++17\ -arch=sm_90\ -rdc=true\ -Xnvlink\ -v\ -Xptxas\ -v\ -dlink\ t.o\ -o\ t.exe
rc=255
