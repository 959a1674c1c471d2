package biglog

import (
	"fmt"
	"strings"
)

// Config returns a config for the logs that Write makes: defaults and twenty
// patterns. Four of them match every kernel of a family, as a pattern for a
// namespace does, the others the few of a family whose number begins so. The
// spilling hundredth of the kernels has findings.
func Config() string {
	var b strings.Builder
	b.WriteString("version: 1\ndefaults:\n  spills: 0\nkernels:\n")
	for _, match := range []string{
		"reduce_a_*", "lin_*::saxpy<*>", "sgemm_tiled_*<*>", "free_64_*",
		"free_240_00000*", "lb_256_00000*", "lb_128_40_00000*", "smem_bound_00000*", "reduce_b_00000*",
		"dynamic_index_00000*", "dynamic_smem_00000*", "slow_path_00000*", "textured_00000*", "permute_kernel_00000*",
		"layernorm_forward_kernel3_00000*", "softmax_forward_kernel5_00000*", "matmul_forward_kernel4_00000*",
		"re:adamw_kernel2_00000[0-9]+", "scale_c_00000*", "named_barriers_00000*",
	} {
		fmt.Fprintf(&b, "  - {match: %q, registers: 255, stack: 4KiB}\n", match)
	}
	return b.String()
}
