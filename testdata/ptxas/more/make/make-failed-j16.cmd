+ make -f Makefile.broken -j16 2>&1 | cat
rc=0
