+ ./jit l 0 rdc_a.ptx
rc=0
