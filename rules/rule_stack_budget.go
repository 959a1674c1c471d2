package rules

import "github.com/occlint/occlint/parse"

func stackBudget() *Rule {
	b := &budget{
		field: FieldStack, noun: "bytes of stack per thread",
		log: func(k *parse.Class) string {
			if text := stackText(k); text != "" {
				return text
			}
			return usedText(k)
		},
		help: "keep indexed arrays out of local memory (constant indexes, shared memory), or raise the budget",
	}
	return &Rule{
		ID:    "stack-budget",
		Title: "a larger stack frame than the budget",
		Why: "A stack frame is local memory of each thread: spilled values, arrays that are indexed by a variable, and what calls need. " +
			"It is addressed like global memory and goes through the caches. A kernel's frame includes those of the functions it calls; where the log states a cumulative size that is greater, that counts.",
		Example: Example{
			Log:    exampleDynamicIndex,
			Config: "version: 1\nkernels:\n  - match: dynamic_index\n    stack: 0\n",
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "dynamic_index", StackBytes: Declared[int64](0)})
			},
			Finding: "dynamic_index uses 256 bytes of stack per thread on sm_90, 256 above the budget of 0",
		},
		Fix:     "Index local arrays with constants only (unroll the loop that indexes them), or keep them in shared memory. For spills see `spill-budget`. If the frame is meant, raise the budget.",
		Default: Error,
		Options: []Option{{"stack", "The most bytes of stack per thread."}},
		Kernel: func(u *Subject) {
			// A callee's frame is part of its kernel's: it has a budget of its
			// own only where a pattern names it, or nothing is known to call it.
			if u.isFunction() && u.called && u.decl.StackBytes.Origin.From == FromDefaults {
				return
			}
			b.check(u)
		},
	}
}
