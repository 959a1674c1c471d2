+ ./jit m 0 basics.ptx
rc=0
