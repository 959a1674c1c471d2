package rules

func barrierBudget() *Rule {
	b := &budget{
		field: FieldBarriers, noun: "named barriers per block",
		help: "reuse barriers between phases, or raise the budget if the occupancy bears it",
	}
	return &Rule{
		ID:    "barrier-budget",
		Title: "more named barriers per block than the budget",
		Why: "A block can name 16 barriers, and from sm_90 on the SM has a pool of them for all resident blocks: 64 on sm_90, 24 on sm_120. " +
			"A kernel with 16 barriers gets 4 blocks on sm_90, whatever else it uses. " +
			"ptxas prints the number from CUDA 12.8 on; with an older compiler a declared budget can't be judged, and the log is not trusted.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z14named_barriersPf' for 'sm_90'
ptxas info    : Function properties for _Z14named_barriersPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 6 barriers, 1024 bytes smem
`,
			Config: "version: 1\nkernels:\n  - match: named_barriers\n    barriers: 4\n",
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "named_barriers", Barriers: Declared[int64](4)})
			},
			Finding: "named_barriers uses 6 named barriers per block on sm_90, 2 above the budget of 4",
		},
		Fix:     "Number the barriers without gaps, since the highest one counts, and reuse them between phases. If the number is right, raise the budget.",
		Default: Error,
		Options: []Option{{"barriers", "The most named barriers per block."}},
		Kernel:  b.kernelsOnly,
	}
}
