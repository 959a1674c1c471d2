+ TORCH_CUDA_ARCH_LIST="9.0" timeout 200 python3 ext.py 2>&1 | cat
rc=0
# paths rewritten: the home cache to /src/.cache, the script to ext.py
