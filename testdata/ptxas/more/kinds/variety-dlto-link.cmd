+ bash -c nvcc\ -std=c++17\ --extended-lambda\ -gencode\ arch=compute_90\,code=lto_90\ -rdc=true\ -Xptxas\ -v\ -c\ variety.cu\ -o\ v.o\ \&\&\ nvcc\ -std=c++17\ -arch=sm_90\ -dlto\ -Xnvlink\ -v\ -Xptxas\ -v\ -dlink\ v.o\ -o\ v.exe
rc=0
