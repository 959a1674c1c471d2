+ bash -c nvcc\ -std=c++17\ --extended-lambda\ -arch=sm_90\ -rdc=true\ -Xptxas\ -v\ -c\ variety.cu\ -o\ v.o\ \&\&\ nvcc\ -std=c++17\ -arch=sm_90\ -rdc=true\ -Xnvlink\ -v\ -Xptxas\ -v\ -dlink\ v.o\ -o\ v.exe
rc=0
