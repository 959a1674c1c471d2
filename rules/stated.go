package rules

import (
	"cmp"
	"fmt"
)

// need is a number that a declaration is about.
type need struct {
	rule     string // the rule that would judge it
	what     string
	declared func(*Subject) Origin // From is empty: not declared
	known    func(*Subject) bool
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
			func(u *Subject) Origin { return set(u.decl.Registers.Origin, u.decl.Registers.Set && !u.isFunction()) },
			func(u *Subject) bool { return u.Registers.Stated() }, verbose},
		{"spill-budget", "spills",
			func(u *Subject) Origin { return set(u.spillOrigin(), !u.isFunction()) },
			(*Subject).spillsStated, verbose},
		{"callee-spill", "spills of functions",
			func(u *Subject) Origin { return set(u.spillOrigin(), u.isFunction()) },
			(*Subject).spillsStated, verbose},
		{"spill-in-loop", "in which loops the spills are",
			func(u *Subject) Origin { return set(u.decl.LoopSpillBytes.Origin, u.decl.LoopSpillBytes.Set) },
			(*Subject).loopsKnown, "give the binary of the same build: --binary; only compiled code shows it"},
		{"stack-budget", "stack frames",
			func(u *Subject) Origin { return set(u.decl.StackBytes.Origin, u.decl.StackBytes.Set) },
			func(u *Subject) bool { _, known := u.stack(); return known }, verbose},
		{"shared-budget", "shared memory",
			func(u *Subject) Origin {
				return set(u.decl.SharedBytes.Origin, u.decl.SharedBytes.Set && !u.isFunction())
			},
			func(u *Subject) bool { _, known := u.staticShared(); return known }, verbose},
		{"barrier-budget", "named barriers",
			func(u *Subject) Origin { return set(u.decl.Barriers.Origin, u.decl.Barriers.Set && !u.isFunction()) },
			func(u *Subject) bool { return u.Barriers.Stated() }, "compile with CUDA 12.8 or later, which prints them, or declare no barriers for these kernels"},
		{"min-blocks", "registers or shared memory, on which declared blocks rest",
			func(u *Subject) Origin { return set(u.decl.LaunchBounds.Origin, u.minBlocks() > 0 && u.judgesBlocks()) },
			(*Subject).hasOccupancy, verbose},
		{"min-occupancy", "registers or shared memory, on which a declared occupancy rests",
			func(u *Subject) Origin {
				return set(u.decl.MinOccupancy.Origin, u.decl.MinOccupancy.Set && u.judgesBlocks())
			},
			(*Subject).hasOccupancy, verbose},
	}
}

// spillOrigin is where a spill budget was declared, if one was.
func (u *Subject) spillOrigin() Origin {
	return cmp.Or(u.decl.SpillStoreBytes.Origin, u.decl.SpillLoadBytes.Origin)
}

func (u *Subject) hasOccupancy() bool { return u.Occupancy != nil }

// judgesBlocks reports whether an occupancy is to be expected: what else can
// be missing is reported elsewhere.
func (u *Subject) judgesBlocks() bool {
	return !u.isFunction() && u.arch.sm != nil && u.threads() > 0
}

// checkStated reports budgets on numbers that the log does not state: unknown
// is never fine. Records with defects were reported as such.
func (j *judge) checkStated() {
	for bit, n := range j.needs {
		if !j.on(n.rule) {
			continue
		}
		list := j.matching(func(u *Subject) bool { return u.unmet>>bit&1 != 0 })
		if len(list) == 0 {
			continue
		}
		verb := "has a budget or minimum"
		if len(list) > 1 {
			verb = "have a budget or minimum"
		}
		j.reportRecords(Finding{
			Message: fmt.Sprintf("%s %s for what the log does not state: %s", count(int64(len(list)), "kernel"), verb, n.what),
			Detail:  "not-stated " + n.rule, Declared: n.declared(j.subjects[j.subjectOf[list[0]]]), Help: n.help,
		}, list)
	}
}
