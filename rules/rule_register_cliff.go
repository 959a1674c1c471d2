package rules

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/arch"
)

// cliffRegisters is how near above a step a kernel must be for the rule to
// speak: what a small change of the code can save.
const cliffRegisters = 4

func registerCliff() *Rule {
	return &Rule{
		ID:    "register-cliff",
		Title: "a few registers above a step in occupancy",
		Why: "Registers are handed out in steps, so occupancy falls in steps too. This kernel is one to four registers above one: a small saving would gain a block per SM. " +
			"Whether the block makes the kernel faster, only a measurement says.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'tile' for 'sm_90'
ptxas info    : Function properties for tile
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 66 registers, used 0 barriers
`,
			Config:  "version: 1\nkernels:\n  - match: tile\n    block: 256\n",
			Policy:  func() *Policy { return policyFor(Declaration{Match: "tile", Block: Declared(256)}) },
			Finding: "tile is 2 registers above a step on sm_90: 64 registers would allow 4 blocks per SM instead of 3",
		},
		Fix:     "Shorten live ranges, unroll less, use 32-bit indexes, or try `__launch_bounds__` with one block more and look whether it spills.",
		Default: Info,
		Options: []Option{{"block", "The threads per block that are really launched; default: the maximum of the launch bounds."}},
		Kernel: func(u *Subject) {
			if u.Occupancy == nil || u.Occupancy.Blocks == 0 {
				return
			}
			step := u.arch.sm.Step(u.Launch, arch.Registers)
			if step.Fewer < 1 || step.Fewer > cliffRegisters {
				return
			}
			below := step.Now - step.Fewer
			u.Report(Finding{
				Message: fmt.Sprintf("is %s above a step%s: %d registers would allow %d blocks per SM instead of %d",
					count(int64(step.Fewer), "register"), u.on(), below, step.GainTo, step.Blocks),
				Value: float64(step.Now), Limit: float64(below), Unit: "registers", Field: FieldRegisters,
				Limiters: u.Occupancy.Limiters,
				Declared: u.decl.threadsOrigin(),
				Notes:    u.occupancyNotes(),
				Help:     u.calcCommand("--sweep registers") + " shows all the steps",
			})
		},
	}
}

// calcCommand is the command that computes what the unit was judged by.
func (u *Subject) calcCommand(more string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "occlint calc --arch %s --threads %d", u.arch.name, u.Launch.Threads)
	for _, flag := range []struct {
		name  string
		value int
	}{{"--registers", u.Launch.Registers}, {"--shared", u.Launch.SharedBytes}, {"--barriers", u.Launch.Barriers}} {
		if flag.value > 0 {
			fmt.Fprintf(&b, " %s %d", flag.name, flag.value)
		}
	}
	return b.String() + " " + more
}
