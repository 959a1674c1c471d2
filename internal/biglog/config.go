package biglog

import (
	"fmt"
	"strings"
)

// Config returns a config for the logs that Write makes: defaults and twenty
// patterns, under which the spilling hundredth of the kernels has findings.
func Config() string {
	var b strings.Builder
	b.WriteString("version: 1\ndefaults:\n  spills: 0\nkernels:\n")
	for i, match := range []string{
		"lb_256_0*", "lb_256_4_*", "lb_256_8_*", "lb_1024_1_*", "lb_1024_2_*", "lb_1024_4_*", "lb_128_40_*",
		"maxnreg_40_*", "smem_bound_*", "reduce_a_*", "reduce_b_*", "free_64_*", "free_240_*", "free_300_*",
		"lin_*::saxpy<*>", "dynamic_*", "recursive_*", "sgemm_tiled_*", "encoder_*", "layernorm_*",
	} {
		fmt.Fprintf(&b, "  - {match: %q, registers: 255, barriers: 16, stack: %d}\n", match, 4096+i)
	}
	return b.String()
}
