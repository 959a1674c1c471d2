+ ./jit l 0 rdc_b.ptx
rc=0
