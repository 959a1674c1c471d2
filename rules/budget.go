package rules

import (
	"fmt"

	"github.com/occlint/occlint/parse"
)

// budget is a rule that holds one number of a kernel against one declared
// number.
type budget struct {
	field string // one of the Field constants
	noun  string // of the message: "registers"
	limit func(*Declaration) Field[int64]
	value func(*unit) (n int64, known bool)
	// detail says in words how the value is made up; nil: it is one number.
	detail func(*unit) string
	log    func(*parse.Kernel) string // the log's text; nil: the Used line
	help   string
}

func (b *budget) check(j *judge, u *unit) {
	limit := b.limit(&u.decl.Declaration)
	if !limit.Set {
		return
	}
	n, known := b.value(u)
	if !known || n <= limit.Value {
		return
	}
	f := Finding{
		Message: fmt.Sprintf("uses %d %s%s, %d above the budget of %d", n, b.noun, u.on(), n-limit.Value, limit.Value),
		Value:   float64(n), Limit: float64(limit.Value), Unit: fieldUnit(b.field), Field: b.field,
		Declared: limit.Origin,
		Help:     b.help,
	}
	if b.detail != nil {
		if text := b.detail(u); text != "" {
			f.Notes = append(f.Notes, text)
		}
	}
	if b.log != nil {
		f.LogText = b.log(u.record)
	}
	j.found(u, f)
}

// kernelsOnly is a budget's check for what a device function has none of.
func (b *budget) kernelsOnly(j *judge, u *unit) {
	if !u.isFunction() {
		b.check(j, u)
	}
}

func registerBudget() *Rule {
	b := &budget{
		field: FieldRegisters, noun: "registers per thread",
		limit: func(d *Declaration) Field[int64] { return d.Registers },
		value: func(u *unit) (int64, bool) { return u.kernel.Registers.Value() },
		help:  "find the change that added registers, or raise the budget if the occupancy bears it",
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
				return policyFor(Declaration{Match: "free_64", Registers: declared[int64](64)})
			},
			Finding: "free_64 uses 80 registers per thread on sm_90, 16 above the budget of 64",
		},
		Fix:     "Look at what changed: unrolling, a larger tile per thread, an inlined function, 64-bit index arithmetic. `occlint calc --registers` shows where the next step in occupancy lies. If the number is right, raise the budget.",
		Default: Error,
		Options: []Option{{"registers", "The most registers per thread."}},
		kernel:  b.kernelsOnly,
	}
}

// exampleFree64 is a kernel without bounds, from a real log.
const exampleFree64 = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z7free_64PKfPfi' for 'sm_90'
ptxas info    : Function properties for _Z7free_64PKfPfi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 80 registers, used 0 barriers
`

func sharedBudget() *Rule {
	b := &budget{
		field: FieldShared, noun: "bytes of shared memory per block",
		limit: func(d *Declaration) Field[int64] { return d.SharedBytes },
		value: (*unit).shared,
		detail: func(u *unit) string {
			if !u.decl.DynamicShared.Set {
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
				return policyFor(Declaration{Match: "smem_bound", SharedBytes: declared[int64](16384)})
			},
			Finding: "smem_bound uses 24576 bytes of shared memory per block on sm_90, 8192 above the budget of 16384",
		},
		Fix:     "Use a smaller tile, fewer pipeline stages, a smaller element type, or reuse one buffer for several phases. If the number is right, raise the budget.",
		Default: Error,
		Options: []Option{
			{"shared", "The most shared memory per block, static and dynamic: bytes, or `100KiB`."},
			{"dynamic_shared", "The dynamic shared memory of a launch; undeclared counts as 0."},
		},
		kernel: b.kernelsOnly,
	}
}

const exampleSmemBound = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z10smem_boundPKfPf' for 'sm_90'
ptxas info    : Function properties for _Z10smem_boundPKfPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 1 barriers, 24576 bytes smem
`

func stackBudget() *Rule {
	b := &budget{
		field: FieldStack, noun: "bytes of stack per thread",
		limit: func(d *Declaration) Field[int64] { return d.StackBytes },
		value: (*unit).stack,
		log: func(k *parse.Kernel) string {
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
				return policyFor(Declaration{Match: "dynamic_index", StackBytes: declared[int64](0)})
			},
			Finding: "dynamic_index uses 256 bytes of stack per thread on sm_90, 256 above the budget of 0",
		},
		Fix:     "Index local arrays with constants only (unroll the loop that indexes them), or keep them in shared memory. For spills see `spill-budget`. If the frame is meant, raise the budget.",
		Default: Error,
		Options: []Option{{"stack", "The most bytes of stack per thread."}},
		kernel: func(j *judge, u *unit) {
			// A callee's frame is part of its kernel's: it has a budget of its
			// own only where a pattern names it, or nothing is known to call it.
			if u.isFunction() && u.parent != nil && u.decl.StackBytes.Origin.From == FromDefaults {
				return
			}
			b.check(j, u)
		},
	}
}

const exampleDynamicIndex = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z13dynamic_indexPKiPf' for 'sm_90'
ptxas info    : Function properties for _Z13dynamic_indexPKiPf
    256 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers, 256 bytes cumulative stack size
`

func barrierBudget() *Rule {
	b := &budget{
		field: FieldBarriers, noun: "named barriers per block",
		limit: func(d *Declaration) Field[int64] { return d.Barriers },
		value: func(u *unit) (int64, bool) { return u.kernel.Barriers.Value() },
		help:  "reuse barriers between phases, or raise the budget if the occupancy bears it",
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
				return policyFor(Declaration{Match: "named_barriers", Barriers: declared[int64](4)})
			},
			Finding: "named_barriers uses 6 named barriers per block on sm_90, 2 above the budget of 4",
		},
		Fix:     "Number the barriers without gaps, since the highest one counts, and reuse them between phases. If the number is right, raise the budget.",
		Default: Error,
		Options: []Option{{"barriers", "The most named barriers per block."}},
		kernel:  b.kernelsOnly,
	}
}
