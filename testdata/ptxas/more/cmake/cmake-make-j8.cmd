+ export CUDAFLAGS="-Xptxas -v"; cmake -B bm -DCMAKE_CUDA_ARCHITECTURES="80;90" . && cmake --build bm -j8 2>&1 | cat
rc=0
# paths rewritten: the project folder to /src/app
