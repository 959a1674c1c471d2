package rules

import (
	"fmt"
)

// registerCap is the most registers per thread that a kernel could have.
type registerCap struct {
	registers int
	text      string // what caps: "__launch_bounds__(256, 4)"
	origin    Origin
	declared  bool // false: nothing but the architecture caps
}

// findCap finds what caps a kernel's registers. Bounds and maxnreg win over
// maxrregcount, of which only the log tells. ok is false where it is not known:
// a kernel for which nothing is declared may have bounds in its source.
func (u *Subject) findCap() (c registerCap, ok bool) {
	if c, ok = u.declaredCap(); ok {
		return u.raised(c), true
	}
	for _, r := range u.said() {
		if r.kind == capOverridden {
			return loggedCap(r.value, Origin{From: FromLog, Place: r.Place, Text: r.Text}), true
		}
	}
	if n, proven := u.provenCap(); proven {
		return registerCap{registers: n, text: "in force in the binary", origin: Origin{From: FromBinary}, declared: true}, true
	}
	registers, stated := u.Registers.Value()
	if !stated {
		return c, false
	}
	// With bounds of its own a kernel is not under maxrregcount, and which
	// kernels have some, the log does not say: only registers that are just at
	// the number tell.
	if n := u.global; n >= 0 && registers == int64(n) {
		return loggedCap(int(n), Origin{From: FromLog}), true
	}
	if sm := u.arch.sm; sm != nil && registers >= int64(sm.RegistersPerThread) {
		return registerCap{registers: sm.RegistersPerThread, text: "the most that " + u.arch.name + " has"}, true
	}
	return c, false
}

func loggedCap(registers int, o Origin) registerCap {
	return registerCap{registers: registers, text: fmt.Sprintf("-maxrregcount %d", registers), origin: o, declared: true}
}

// declaredCap is the cap of launch bounds and maxnreg. With both, ptxas takes
// the lower of maxnreg and what a minimum of blocks leaves; the maximum of
// threads alone gives way to maxnreg (11.8: 1024 threads with maxnreg 128 got
// 128 registers, 256 threads and 4 blocks with maxnreg 80 got 64).
func (u *Subject) declaredCap() (c registerCap, ok bool) {
	sm, bounds, maxnreg := u.arch.sm, u.decl.LaunchBounds, u.decl.MaxRegisters
	// ptxas ignores a maxnreg above what a thread can have.
	useMax := maxnreg.Set && maxnreg.Value > 0 && (sm == nil || maxnreg.Value <= sm.RegistersPerThread)
	useBounds := bounds.Set && bounds.Value.Threads > 0 && sm != nil
	if useMax && useBounds && u.minBlocks() <= 0 {
		useBounds = false
	}
	if useBounds {
		c = registerCap{
			registers: sm.RegisterCap(bounds.Value.Threads, u.minBlocks()).Registers,
			text:      originText(bounds.Origin, "launch bounds "+boundsText(bounds.Value)),
			origin:    bounds.Origin,
			declared:  true,
		}
		if u.dropped != nil {
			c.text = fmt.Sprintf("the %d threads of %s, whose minimum of blocks is dropped", bounds.Value.Threads, c.text)
		}
	}
	if useMax && (!useBounds || maxnreg.Value < c.registers) {
		c = registerCap{
			registers: maxnreg.Value,
			text:      originText(maxnreg.Origin, fmt.Sprintf("maxnreg %d", maxnreg.Value)),
			origin:    maxnreg.Origin,
			declared:  true,
		}
	}
	return c, useMax || useBounds
}

// raised follows the compiler where it says that a cap is below what the
// architecture can do with.
func (u *Subject) raised(c registerCap) registerCap {
	for _, r := range u.said() {
		if r.kind == capRaised && r.value > c.registers {
			c.registers = r.value
		}
	}
	return c
}

// mostToLaunch is the most registers per thread with which a block as large as
// the kernel's can be launched at all; ok is false where its size or the
// architecture is unknown.
func (u *Subject) mostToLaunch() (registers int, ok bool) {
	threads := u.launchThreads()
	if threads <= 0 || u.arch.sm == nil {
		return 0, false
	}
	return u.arch.sm.RegisterCap(threads, 0).Registers, true
}

// binds reports whether a cap takes anything from the kernel: one that is as
// high as what a thread of the architecture can have does not.
func (u *Subject) binds(c registerCap) bool {
	return u.arch.sm == nil || c.registers < u.arch.sm.RegistersPerThread
}

// cantRise says what can help where no higher cap can, since no thread can
// have more registers or no block could be launched with more; empty where one
// can.
func (u *Subject) cantRise(c registerCap) string {
	if !u.binds(c) {
		return fmt.Sprintf("%d registers are the most that a thread of %s can have, so no bound gives more: let the kernel need fewer (a smaller tile per thread, less unrolling)",
			u.arch.sm.RegistersPerThread, u.arch.name)
	}
	most, ok := u.mostToLaunch()
	if !ok || c.registers < most || most >= u.arch.sm.RegistersPerThread {
		return ""
	}
	return fmt.Sprintf("blocks of %d threads can't launch with more than %d registers per thread: compare the times with smaller blocks, or with a smaller tile per thread",
		u.launchThreads(), most)
}

// hiddenCap says that a cap may be in force which the log does not name, where
// a kernel that spills has far fewer registers than a thread can have; empty
// elsewhere.
func (u *Subject) hiddenCap() string {
	const far = 16 // registers
	registers, stated := u.Registers.Value()
	if sm := u.arch.sm; sm == nil || !stated || registers > int64(sm.RegistersPerThread-far) {
		return ""
	}
	return fmt.Sprintf("it has %d of the %d registers that a thread can have: a cap is likely, which --source, sources: or the PTX would name; or ",
		registers, u.arch.sm.RegistersPerThread)
}
