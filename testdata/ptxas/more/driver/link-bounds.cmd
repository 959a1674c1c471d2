+ ./jit l 0 bounds.ptx
rc=0
