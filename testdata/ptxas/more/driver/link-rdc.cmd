+ ./jit l 0 rdc_a.ptx rdc_b.ptx
rc=0
