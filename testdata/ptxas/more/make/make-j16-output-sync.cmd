+ make -O -j16 2>&1 | cat
rc=0
