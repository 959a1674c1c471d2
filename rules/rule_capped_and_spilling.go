package rules

import (
	"fmt"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
)

func cappedAndSpilling() *Rule {
	return &Rule{
		ID:    "capped-and-spilling",
		Title: "a kernel with a register cap spills",
		Why: "Launch bounds, `maxnreg`, `-maxrregcount` or the architecture itself cap the registers of this kernel, and it spills, itself or in a function that was compiled for it. " +
			"Both are shown together, since occupancy that is bought with spills is often a bad trade: on an H200 one kernel took 0.166 ms with 80 registers at 37.5 % occupancy, " +
			"1.07 ms capped to 64 registers at 50 %, and 7.39 ms capped to 32 registers at 100 %.\n\n" +
			"The rule does not say that the cap causes the spill. The registers can lie far below the cap: under `__launch_bounds__(T)` alone the compiler can choose fewer once it spills.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z8lb_256_4PKfPfi' for 'sm_90'
ptxas info    : Function properties for _Z8lb_256_4PKfPfi
    120 bytes stack frame, 244 bytes spill stores, 276 bytes spill loads
ptxas info    : Used 64 registers, used 0 barriers, 120 bytes cumulative stack size
`,
			Config: `version: 1
kernels:
  - match: lb_256_4
    launch_bounds: [256, 4]
`,
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "lb_256_4", LaunchBounds: Declared(Bounds{256, 4})})
			},
			Finding: "lb_256_4 has a cap of 64 registers on sm_90, uses 64, and spills 244 bytes of stores and 276 of loads",
		},
		Fix:     "Measure it without the cap. If that is faster, raise the cap or drop it; if the cap is worth it, declare the spill as a budget, or ignore this rule for the kernel with the measurement as the reason.",
		Default: Warning,
		Options: []Option{
			{"launch_bounds", "The bounds that cap the registers."},
			{"maxnreg", "A declared cap, as `__maxnreg__` sets it."},
		},
		Kernel: checkCappedAndSpilling,
	}
}

func checkCappedAndSpilling(u *Subject) {
	if u.isFunction() {
		return
	}
	stores, loads := u.SpillStoreBytes.Or(0), u.SpillLoadBytes.Or(0)
	var callees []string
	for _, c := range u.callees() {
		if c.anySpills() {
			s, l := c.SpillStoreBytes.Or(0), c.SpillLoadBytes.Or(0)
			callees = append(callees, fmt.Sprintf("%s, compiled for it, spills %s%s", name.Qualified(c.name), spillText(s, l), c.inLoops()))
			stores, loads = stores+s, loads+l
		}
	}
	registers, stated := u.Registers.Value()
	if stores == 0 && loads == 0 || !stated {
		return
	}
	limit, ok := u.findCap()
	if !ok || registers > int64(limit.registers) {
		return // above the declared cap: something else was compiled
	}
	u.Report(Finding{
		Message: fmt.Sprintf("has a cap of %d registers%s, uses %d, and spills %s%s",
			limit.registers, u.on(), registers, spillText(stores, loads), inCallees(callees)+u.inLoopsWith(callees)),
		Value: float64(max(stores, loads)), Unlimited: true, Unit: "bytes", Field: worseSpill(stores, loads),
		Measures: []Measure{
			{Field: FieldSpillStores, Value: float64(stores), Unlimited: true},
			{Field: FieldSpillLoads, Value: float64(loads), Unlimited: true},
		},
		Declared: limit.origin,
		Notes:    append(append(u.capNotes(limit), callees...), u.placeNotes()...),
		Help:     u.capHelp(limit),
	})
}

// capHelp says what to measure. A cap that is as high as the size of the
// blocks allows can't be taken away alone.
func (u *Subject) capHelp(c registerCap) string {
	if !c.declared && !u.binds(c) {
		return "" // there is no cap to look at; spill-budget says what there is to do
	}
	if why := u.cantRise(c); why != "" {
		return why
	}
	return "compare the times with and without the cap: fewer blocks per SM without spills are often faster"
}

func inCallees(callees []string) string {
	if len(callees) == 0 {
		return ""
	}
	return ", callees included"
}

// inLoopsWith is inLoops where the kernel's own spills are all that there are;
// the notes tell those of callees apart.
func (u *Subject) inLoopsWith(callees []string) string {
	if len(callees) > 0 {
		return ""
	}
	return u.inLoops()
}

func worseSpill(stores, loads int64) string {
	if loads > stores {
		return FieldSpillLoads
	}
	return FieldSpillStores
}

// capNotes says where the cap is from and what the occupancy is with and
// without it. How many registers the compiler would take without a cap, no log
// says: the range ends at what a thread can have.
func (u *Subject) capNotes(c registerCap) []string {
	notes := []string{fmt.Sprintf("the cap of %d: %s", c.registers, c.text)}
	if c.declared && !u.binds(c) {
		notes[0] = fmt.Sprintf("%s does not bind: %d registers are all that a thread of %s can have", c.text, c.registers, u.arch.name)
	}
	if u.Occupancy == nil {
		return notes
	}
	text := fmt.Sprintf("occupancy with blocks of %d threads: %s %% with %d registers",
		u.Launch.Threads, number(u.Occupancy.Percent()), u.Launch.Registers)
	if u.binds(c) {
		text += "; " + u.withoutCap()
	}
	notes = append(notes, text)
	return append(notes, u.assumptions()...)
}

// withoutCap says what the occupancy can be without the cap.
func (u *Subject) withoutCap() string {
	most := u.arch.sm.RegistersPerThread
	at := func(registers int) arch.Occupancy {
		free := u.Launch
		free.Registers = registers
		return u.arch.sm.Occupancy(free)
	}
	without := at(most)
	if without.Limits[arch.Registers] != 0 && without.Blocks == u.Occupancy.Blocks {
		return "it is the same without a cap"
	}
	if without.Limits[arch.Registers] != 0 {
		return fmt.Sprintf("without a cap it lies between that and the %s %% of %d registers", number(without.Percent()), most)
	}
	fits, _ := u.mostToLaunch()
	if u.Launch.Registers >= fits {
		return fmt.Sprintf("with more than %d registers no block fits", fits)
	}
	lowest := at(fits)
	if lowest.Blocks == u.Occupancy.Blocks {
		return fmt.Sprintf("it is the same up to %d registers, and with more no block fits", fits)
	}
	return fmt.Sprintf("without a cap it can fall to the %s %% of %d registers, and with more than %d no block fits",
		number(lowest.Percent()), fits, fits)
}
