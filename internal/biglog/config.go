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
		"free_240_0000*", "lb_256_0000*", "lb_128_40_0000*", "smem_bound_0000*", "reduce_b_0000*",
		"dynamic_index_0000*", "dynamic_smem_0000*", "slow_path_0000*", "textured_0000*", "permute_kernel_0000*",
		"layernorm_forward_kernel3_0000*", "softmax_forward_kernel5_0000*", "matmul_forward_kernel4_0000*",
		"re:adamw_kernel2_0000[0-9]+", "scale_c_0000*", "named_barriers_0000*",
	} {
		fmt.Fprintf(&b, "  - {match: %q, registers: 255, stack: 4KiB}\n", match)
	}
	return b.String()
}
