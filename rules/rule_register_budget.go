package rules

func registerBudget() *Rule {
	b := &budget{
		field: FieldRegisters, noun: "registers per thread",
		help: "find the change that added registers, or raise the budget if the occupancy bears it",
	}
	return &Rule{
		ID:    "register-budget",
		Title: "more registers per thread than the budget",
		Why: "Registers decide how many blocks an SM can hold, and they grow a few at a time, with refactorings that nobody connects with them. " +
			"A budget turns the step at which a block is lost into a failing build.\n\n" +
			"A budget is not a cap: it does not change the code, it says when the code has changed. With `-rdc` the linker's number counts, which includes the functions that the kernel calls.",
		Example: Example{
			Log:    exampleFree64,
			Config: "version: 1\nkernels:\n  - match: free_64\n    registers: 64\n",
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "free_64", Registers: Declared[int64](64)})
			},
			Finding: "free_64 uses 80 registers per thread on sm_90, 16 above the budget of 64",
		},
		Fix:     "Look at what changed: unrolling, a larger tile per thread, an inlined function, 64-bit index arithmetic. `occlint calc --arch sm_90 --threads 256 --registers 66` shows where the next step in occupancy lies. If the number is right, raise the budget.",
		Default: Error,
		Options: []Option{{"registers", "The most registers per thread."}},
		Kernel:  b.kernelsOnly,
	}
}
