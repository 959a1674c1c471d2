package rules

import "fmt"

func calleeSpill() *Rule {
	return &Rule{
		ID:    "callee-spill",
		Title: "a function that was not inlined spills above the budget",
		Why: "A device function that is not inlined has a stack frame and spills of its own, and the kernel's line does not include them: a kernel with `0 bytes spill stores` can spend its time in a callee that spills. " +
			"In a whole-program compilation the function is compiled once for each kernel that calls it, under that kernel's cap, so the same function can spill for one kernel and not for another.\n\n" +
			"The budget is that of the kernel, unless a pattern names the function itself. Where neither declares one, any spill is a warning.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'calls_lb64' for 'sm_80'
ptxas info    : Function properties for calls_lb64
    104 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 64 registers, 372 bytes cmem[0]
ptxas info    : Function properties for _Z5heavyPKfPfi
    0 bytes stack frame, 220 bytes spill stores, 248 bytes spill loads
`,
			Config: `version: 1
kernels:
  - match: calls_lb64
    spills: 0
`,
			Policy: func() *Policy {
				return policyFor(Declaration{
					Match: "calls_lb64", SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0),
				})
			},
			Finding: "heavy spills 220 bytes of stores and 248 of loads on sm_80, compiled for calls_lb64: 220 and 248 above the budget of 0",
		},
		Fix:     "As for `spill-budget`: the cap of the kernel is the cap of its callees. Inlining the function (`__forceinline__`) can help, and can move the spill into the kernel.",
		Default: Error,
		Options: []Option{
			{"spills", "The budget in bytes for stores and for loads, of the function or of the kernel that it was compiled for."},
		},
		Kernel: func(u *Subject) {
			if !u.isFunction() {
				return
			}
			s, found := u.judgeSpills()
			if !found {
				return
			}
			f := s.finding(u)
			where := u.on()
			if u.hasParent {
				where += ", compiled for " + ParentName
			}
			f.Message = fmt.Sprintf("spills %s%s%s: %s", spillText(s.stores, s.loads), where, u.inLoops(), s.verdict())
			f.Notes = u.placeNotes()
			f.Help = s.help(u)
			u.Report(f)
		},
	}
}
