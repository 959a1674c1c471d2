+ ninja 2>&1 | cat
rc=0
