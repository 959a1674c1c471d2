+ export CUDAFLAGS="-Xptxas -v"; cmake -G Ninja -B bn -DCMAKE_CUDA_ARCHITECTURES="80;90" . && cmake --build bn -v 2>&1 | cat
rc=0
# paths rewritten: the project folder to /src/app
