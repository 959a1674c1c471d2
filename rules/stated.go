package rules

import (
	"cmp"
	"fmt"

	"github.com/occlint/occlint/internal/name"
)

// reportUnits reports one finding on many kernels, some of them by name.
func (j *judge) reportUnits(f Finding, list []*unit) {
	first := list[0]
	f.Log = first.record.Place
	f.LogText = usedText(first.record)
	if len(list) == 1 {
		// The fingerprint names the kernel, and the message does not start with it.
		f.Detail += " " + name.Canonical(first.kernel.Name)
	}
	for _, u := range list[:min(len(list), shown)] {
		f.Notes = append(f.Notes, name.Qualified(u.kernel.Name)+u.on())
	}
	if more := len(list) - shown; more > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("and %d more", more))
	}
	j.report(f)
}

// need is a number that a declaration is about.
type need struct {
	rule     string // the rule that would judge it
	what     string
	declared func(*unit) Origin // From is empty: not declared
	known    func(*unit) bool
	help     string
}

func needs() []need {
	set := func(o Origin, set bool) Origin {
		if !set {
			return Origin{}
		}
		return o
	}
	const verbose = "compile with -Xptxas -v: the linker and cuobjdump do not state it"
	return []need{
		{"register-budget", "registers",
			func(u *unit) Origin { return set(u.decl.Registers.Origin, u.decl.Registers.Set && !u.isFunction()) },
			func(u *unit) bool { return u.kernel.Registers.Stated() }, verbose},
		{"spill-budget", "spills",
			func(u *unit) Origin { return set(u.spillOrigin(), !u.isFunction()) },
			(*unit).spillsStated, verbose},
		{"callee-spill", "spills of functions",
			func(u *unit) Origin { return set(u.spillOrigin(), u.isFunction()) },
			(*unit).spillsStated, verbose},
		{"stack-budget", "stack frames",
			func(u *unit) Origin { return set(u.decl.StackBytes.Origin, u.decl.StackBytes.Set) },
			func(u *unit) bool { _, known := u.stack(); return known }, verbose},
		{"shared-budget", "shared memory",
			func(u *unit) Origin { return set(u.decl.SharedBytes.Origin, u.decl.SharedBytes.Set && !u.isFunction()) },
			func(u *unit) bool { _, known := u.staticShared(); return known }, verbose},
		{"barrier-budget", "named barriers",
			func(u *unit) Origin { return set(u.decl.Barriers.Origin, u.decl.Barriers.Set && !u.isFunction()) },
			func(u *unit) bool { return u.kernel.Barriers.Stated() }, "compile with CUDA 12.8 or later, which prints them, or declare no barriers for these kernels"},
		{"min-blocks", "registers or shared memory, on which declared blocks rest",
			func(u *unit) Origin { return set(u.decl.LaunchBounds.Origin, u.minBlocks() > 0 && u.judgesBlocks()) },
			(*unit).hasOccupancy, verbose},
		{"min-occupancy", "registers or shared memory, on which a declared occupancy rests",
			func(u *unit) Origin {
				return set(u.decl.MinOccupancy.Origin, u.decl.MinOccupancy.Set && u.judgesBlocks())
			},
			(*unit).hasOccupancy, verbose},
	}
}

// spillOrigin is where a spill budget was declared, if one was.
func (u *unit) spillOrigin() Origin {
	return cmp.Or(u.decl.SpillStoreBytes.Origin, u.decl.SpillLoadBytes.Origin)
}

func (u *unit) hasOccupancy() bool { return u.occ != nil }

// judgesBlocks reports whether an occupancy is to be expected: what else can
// be missing is reported elsewhere.
func (u *unit) judgesBlocks() bool {
	return !u.isFunction() && u.arch.sm != nil && u.threads() > 0
}

// checkStated reports budgets on numbers that the log does not state: unknown
// is never fine. Records with defects were reported as such.
func (j *judge) checkStated() {
	var unmet uint16
	for i := range j.units {
		unmet |= j.units[i].unmet
	}
	for bit, n := range j.needs {
		if unmet>>bit&1 == 0 || !j.on(n.rule) {
			continue
		}
		var list []*unit
		for i := range j.units {
			if u := &j.units[i]; u.unmet>>bit&1 != 0 {
				list = append(list, u)
			}
		}
		verb := "has a budget or minimum"
		if len(list) > 1 {
			verb = "have a budget or minimum"
		}
		j.reportUnits(Finding{
			Message: fmt.Sprintf("%s %s for what the log does not state: %s", count(int64(len(list)), "kernel"), verb, n.what),
			Detail:  "not-stated " + n.rule, Declared: n.declared(list[0]), Help: n.help,
		}, list)
	}
}
