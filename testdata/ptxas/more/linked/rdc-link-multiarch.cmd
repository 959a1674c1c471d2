+ bash -c G=\'-gencode\ arch=compute_80\,code=sm_80\ -gencode\ arch=compute_90\,code=sm_90\'\;\ nvcc\ -std=c++17\ \$G\ -rdc=true\ -Xptxas\ -v\ -c\ rdc_a.cu\ -o\ a.o\ \&\&\ nvcc\ -std=c++17\ \$G\ -rdc=true\ -Xptxas\ -v\ -c\ rdc_b.cu\ -o\ b.o\ \&\&\ nvcc\ -std=c++17\ \$G\ -rdc=true\ -Xnvlink\ -v\ -Xptxas\ -v\ -dlink\ a.o\ b.o\ -o\ rdc.exe
rc=0
