package rules

import "fmt"

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
		kernel: func(j *judge, u *unit) {
			if u.occ == nil || u.occ.Blocks == 0 {
				return
			}
			step, ok := u.arch.sm.RegistersFor(u.launch, u.occ.Blocks+1)
			above := u.launch.Registers - step
			if !ok || above < 1 || above > cliffRegisters {
				return
			}
			j.found(u, Finding{
				Message: fmt.Sprintf("is %s above a step%s: %d registers would allow %d blocks per SM instead of %d",
					count(int64(above), "register"), u.on(), step, u.occ.Blocks+1, u.occ.Blocks),
				Value: float64(u.launch.Registers), Limit: float64(step), Unit: "registers", Field: FieldRegisters,
				Limiters: u.occ.Limiters,
				Declared: u.decl.threadsOrigin(),
				Notes:    u.occupancyNotes(),
				Help:     fmt.Sprintf("occlint calc --sweep registers shows the steps of blocks of %d threads", u.launch.Threads),
			})
		},
	}
}
