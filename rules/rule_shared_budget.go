package rules

func sharedBudget() *Rule {
	b := &budget{
		field: FieldShared, noun: "bytes of shared memory per block",
		detail: func(u *Subject) string {
			if !u.decl.DynamicShared.Set && !u.DynamicSharedBytes.Stated() {
				return "dynamic shared memory is not declared and counted as 0"
			}
			return u.sharedSum() + " bytes"
		},
		help: "use a smaller tile or fewer pipeline stages, or raise the budget if the occupancy bears it",
	}
	return &Rule{
		ID:    "shared-budget",
		Title: "more shared memory per block than the budget",
		Why: "Shared memory per block decides, with the registers, how many blocks an SM can hold. " +
			"The number is the static shared memory of the log and the declared dynamic shared memory together, without the 1 KiB that the system reserves for each block from sm_80 on.",
		Example: Example{
			Log:    exampleSmemBound,
			Config: "version: 1\nkernels:\n  - match: smem_bound\n    shared: 16KiB\n",
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "smem_bound", SharedBytes: Declared[int64](16384)})
			},
			Finding: "smem_bound uses 24576 bytes of shared memory per block on sm_90, 8192 above the budget of 16384",
		},
		Fix:     "Use a smaller tile, fewer pipeline stages, a smaller element type, or reuse one buffer for several phases. If the number is right, raise the budget.",
		Default: Error,
		Options: []Option{
			{"shared", "The most shared memory per block, static and dynamic: bytes, or `100KiB`."},
			{"dynamic_shared", "The dynamic shared memory of a launch; undeclared counts as 0."},
		},
		Kernel: b.kernelsOnly,
	}
}
