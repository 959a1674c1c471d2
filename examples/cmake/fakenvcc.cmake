# Toolchain file for machines without a CUDA toolkit: it tells CMake what it
# would otherwise find out by compiling test programs, so that the stand-in nvcc
# of this repository (internal/fakenvcc) is enough to run the build.
#   cmake -S . -B build --toolchain fakenvcc.cmake
set(CMAKE_CUDA_COMPILER nvcc)
set(CMAKE_CUDA_COMPILER_FORCED TRUE)
set(CMAKE_CUDA_COMPILER_ID_RUN TRUE)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 13.0.88)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_CUDA_ARCHITECTURES 90)
set(CMAKE_CUDA_COMPILE_FEATURES cuda_std_17)
# The dry run of a link, from which CMake reads the host linker's command line.
set(CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT "
#$ PATH=
#$ LIBRARIES=  -L/nowhere
#$ c++ -o a.out main.o -L/nowhere
")
