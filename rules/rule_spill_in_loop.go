package rules

import "fmt"

func spillInLoop() *Rule {
	return &Rule{
		ID:    "spill-in-loop",
		Title: "spills in a loop",
		Why: "A spill outside of the hot loop costs nothing; one in a loop is paid for in each pass. On an H200 one kernel with 528 bytes of spills in its inner loop took 13 times as long as without, " +
			"and another with as many, none of them in the loop, 1.5 times.\n\n" +
			"Which spills are in loops only the compiled code tells, so the rule needs the binary beside the log: `--binary`. `loop_spills` is a budget for each loop: bytes of stores and loads in one pass through it, its inner loops left out. " +
			"Where none is declared, spills in a loop are a warning. A declared budget that no binary can be held against is an error of `untrusted-log`.\n\n" +
			"CUDA 13 lists each spill in the binary. Before, they are told apart by what the code shows; where a local array makes that uncertain and the log has other numbers, the finding is a warning at most.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'inner' for 'sm_90'
ptxas info    : Function properties for inner
    272 bytes stack frame, 532 bytes spill stores, 532 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 272 bytes cumulative stack size
`,
			Config: `version: 1
kernels:
  - {match: inner, loop_spills: 0, spills: 600}
`,
			Binary: "places-130-sm_90.cubin.gz",
			Policy: func() *Policy {
				p := policyFor(Declaration{
					Match: "inner", LoopSpillBytes: Declared[int64](0), SpillStoreBytes: Declared[int64](600), SpillLoadBytes: Declared[int64](600),
				})
				p.Places = map[PlaceKey]*Places{{Name: "inner", Arch: "sm_90"}: {
					File: "places.cubin", Exact: true, SpillStoreBytes: 532, SpillLoadBytes: 532, LoopSpillBytes: 528, Deepest: 1, DepthsKnown: true,
					Loops: []LoopPlace{{Text: "loop at places.cu:26-33", Depth: 1, StoreBytes: 264, LoadBytes: 264}},
				}}
				return p
			},
			Finding: "inner spills 528 bytes in each pass of a loop on sm_90: 528 above the budget of 0",
		},
		Fix: "Let the loop need fewer registers: less unrolling, a smaller tile per thread, values that are computed anew rather than kept. Or give the kernel more of them (see `spill-budget`). " +
			"Where the loop is short or rarely run, declare what it may have.",
		Default: Error,
		Options: []Option{
			{"loop_spills", "The most bytes of spills in one pass through a loop, stores and loads together."},
		},
		Kernel: checkSpillInLoop,
	}
}

func checkSpillInLoop(u *Subject) {
	p := u.places()
	if p == nil {
		return
	}
	limit := u.decl.LoopSpillBytes
	worst := p.worstLoop()
	if worst == nil || worst.Bytes() <= limit.Value && limit.Set {
		return
	}
	verdict := "no budget is declared"
	if limit.Set {
		verdict = fmt.Sprintf("%d above the budget of %d", worst.Bytes()-limit.Value, limit.Value)
	}
	about, where := "", u.on()
	if !u.certain(p) {
		about = "about "
	}
	if u.hasParent {
		where += ", compiled for " + ParentName
	}
	u.Report(Finding{
		Message: fmt.Sprintf("spills %s%d bytes in each pass of a loop%s: %s", about, worst.Bytes(), where, verdict),
		Value:   float64(worst.Bytes()), Limit: float64(limit.Value), Unlimited: !limit.Set, Unit: "bytes", Field: FieldLoopSpills,
		Declared: limit.Origin, Place: worst.Place,
		LogText: stackText(u.Class), Notes: u.placeNotes(),
		Help:       "let the loop need fewer registers (less unrolling, a smaller tile per thread), or give the kernel more; occlint where shows the lines beside the source",
		undeclared: !limit.Set, ofCompiler: true, guessed: !u.certain(p),
	})
}
