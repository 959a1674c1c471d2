+ ./jit l 32 basics.ptx
rc=0
