package judge

import (
	"fmt"
	"strings"
)

// checkIssue: the schedulers are busy.
func checkIssue(f *facts) (said, bool) {
	if !(f.issue >= f.thresholds.IssuePercent) {
		return said{}, false
	}
	return said{
		message: fmt.Sprintf("a warp issues in %s %% of cycles; more warps would wait for the slot", short(f.issue)),
		help:    "fewer instructions for the same work is what is left to gain here",
	}, true
}

// checkEligible: warps are ready and wait for their turn.
func checkEligible(f *facts) (said, bool) {
	if !(f.eligible >= f.thresholds.EligibleWarps) {
		return said{}, false
	}
	return said{
		message: fmt.Sprintf("%.2f warps are ready per cycle and one can issue", f.eligible),
		help:    "fewer instructions for the same work, or other pipes, is what is left to gain here",
	}, true
}

// near is how close to the whole a part of it counts as its busiest, in
// percentage points.
const near = 3

// checkSaturated: a unit does all that it can.
func checkSaturated(f *facts) (said, bool) {
	limit := f.thresholds.SaturatedPercent
	tensor := f.tensor >= f.thresholds.TensorPercent
	switch {
	// A GEMM fills the tensor pipe and shared memory at once: the pipe is what
	// it is for.
	case tensor && !(f.saturation() > f.tensor+near):
		return said{
			message: fmt.Sprintf("the tensor pipe is %s %% busy: few warps feed it, and more would queue behind it", short(f.tensor)),
			help:    "the pipe's own peak is what is left to gain: larger tiles, deeper pipelines of copies, smaller types",
		}, true
	case f.memory >= limit:
		unit, detail := f.memoryUnit()
		return said{
			message: fmt.Sprintf("%s is %s %% busy%s: more warps queue behind it", unit, short(f.memory), detail),
			help:    "less traffic through it is what is left to gain: reuse, wider or better aligned accesses, smaller types",
		}, true
	case f.compute >= limit:
		return said{
			message: fmt.Sprintf("the SMs' pipes are %s %% busy: more warps queue behind them", short(f.compute)),
			help:    "fewer or cheaper instructions for the same work is what is left to gain here",
		}, true
	case tensor:
		return said{
			message: fmt.Sprintf("the tensor pipe is %s %% busy: few warps feed it, and more would queue behind it", short(f.tensor)),
			help:    "keep the pipe fed: deeper pipelines of copies, larger tiles",
		}, true
	}
	return said{}, false
}

// memoryUnit names the part of the memory system that is as busy as the whole,
// which is what its busiest part is.
func (f *facts) memoryUnit() (unit, detail string) {
	switch {
	case f.dram >= f.memory-near:
		return "DRAM", ""
	case f.l1 >= f.memory-near:
		var why []string
		if c, w := f.conflicts(); c > 0 {
			why = append(why, fmt.Sprintf("bank conflicts in %s %% of shared memory's passes", short(100*c/w)))
		}
		if len(f.stalls) > 0 && f.stalls[0].Ratio >= 30 {
			why = append(why, fmt.Sprintf("%s %s %%", words(f.stalls[0].Reason), short(f.stalls[0].Ratio)))
		}
		if len(why) > 0 {
			detail = " (" + strings.Join(why, ", ") + ")"
		}
		return "L1/shared memory", detail
	case f.l2 >= f.memory-near:
		return "L2", ""
	}
	return "memory", ""
}
