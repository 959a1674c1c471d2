package rules

import "fmt"

func spillBudget() *Rule {
	return &Rule{
		ID:    "spill-budget",
		Title: "spills above the budget",
		Why: "A spill is a value that the compiler had no register for and keeps in local memory: bytes of stores and bytes of loads per thread, counted in the code once, however often a loop runs it. " +
			"A few bytes outside a loop cost nothing; a few bytes in an inner loop can make a kernel several times slower.\n\n" +
			"Stores and loads are held against the budget each. Where no budget is declared for a kernel, any spill is a warning.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z8lb_256_4PKfPfi' for 'sm_90'
ptxas info    : Function properties for _Z8lb_256_4PKfPfi
    120 bytes stack frame, 244 bytes spill stores, 276 bytes spill loads
ptxas info    : Used 64 registers, used 0 barriers, 120 bytes cumulative stack size
`,
			Config: `version: 1
defaults:
  spills: 0
`,
			Policy: func() *Policy {
				return policyFor(Declaration{SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0)})
			},
			Finding: "lb_256_4 spills 244 bytes of stores and 276 of loads on sm_90: 244 and 276 above the budget of 0",
		},
		Fix: "Give the kernel more registers: raise or remove its cap (fewer blocks per SM in `__launch_bounds__`, a higher `maxnreg` or `-maxrregcount`), at the price of occupancy. " +
			"Or let it need fewer: a smaller tile per thread, less unrolling, shorter live ranges. Where the spill is known and harmless, declare a budget or an `ignore` with the reason.",
		Default: Error,
		Options: []Option{
			{"spills", "The budget in bytes for stores and for loads: one number for both, or `{stores: 16, loads: 16}`."},
		},
		Kernel: func(u *Subject) {
			if u.isFunction() {
				return
			}
			s, found := u.judgeSpills()
			if !found {
				return
			}
			f := s.finding(u)
			f.Message = fmt.Sprintf("spills %s%s%s: %s", spillText(s.stores, s.loads), u.on(), u.inLoops(), s.verdict())
			f.Notes = u.placeNotes()
			f.Help = s.help(u)
			u.Report(f)
		},
	}
}

// help says where the registers could come from: the cap where one is known.
func (s *spilled) help(u *Subject) string {
	k := u
	if u.caller() != nil {
		k = u.caller()
	}
	hidden := ""
	if c, ok := k.findCap(); !ok {
		hidden = k.hiddenCap()
	} else if c.declared {
		if why := k.cantRise(c); why != "" {
			return why
		}
		return fmt.Sprintf("a higher cap than %d registers (%s) would leave the compiler more; or a smaller tile per thread", c.registers, c.text)
	}
	return fmt.Sprintf("%slet the kernel need fewer registers (a smaller tile per thread, less unrolling), or accept what it has: spills: {stores: %d, loads: %d}",
		hidden, s.stores, s.loads)
}
