package parse

import (
	"fmt"
	"slices"

	"github.com/occlint/occlint/parse/internal/msg"
)

// finish settles what only the end of the log can tell. unterminated says
// that the last line has no newline.
func (a *assembler) finish(lastLine int, unterminated bool) {
	a.endListed()
	a.stateBare()
	for _, l := range [...]*lane{&a.ptxas, &a.link} {
		a.abandon(&l.awaitUsed)
		a.abandon(&l.awaitStack)
		a.settleLane(l)
	}
	a.adopt()
	a.missNames()
	a.doubtFunctions()
	a.doubtTwice()
	a.records.markConflicts(a.first, a.twice)
	a.joinRemarks()
	if unterminated {
		a.fault(FaultTruncated, "the log ends inside a line", "", lastLine)
	}
	a.faultDefects()
	a.records.settle(a.first)
	if !a.stated {
		a.fault(FaultEmpty, "the log states no kernel, function or module", "", 0)
	}
	added := a.log.Faults[a.before.faults:]
	slices.SortStableFunc(added, func(x, y Fault) int { return x.Place.Line - y.Place.Line })
}

// abandon marks the records whose lines never came.
func (a *assembler) abandon(p *pool) {
	p.drop(func(i int32, owned bool) {
		k := a.records.at(i)
		k.Defect |= Truncated
		if owned {
			k.Defect |= Interleaved
		}
	})
}

// settleLane takes back what the order of lines does not tell when several
// jobs wrote, and gives functions the architecture of their compilation.
func (a *assembler) settleLane(l *lane) {
	a.settleLinkage(l)
	if l.parallel && l.modules > 1 {
		for i := max(l.sound, a.first); i < a.records.rows.n; i++ {
			if l.stage != StagePtxas && a.records.plain(i) {
				continue
			}
			if k := a.records.at(i); k.Stage == l.stage {
				k.Compilation, k.CompileMicros = -1, Micros{}
			}
		}
	}
	if l.parallel {
		a.reconsider(l)
		a.doubt(l)
	} else if l.givenUp >= 0 {
		// A Used line too many, below an entry that lacks its own.
		for i := l.givenUp + 1; i < l.stray; i++ {
			if k := a.records.at(i); k.Stage == l.stage && k.Kind == Entry {
				a.takeBack(l, l.givenUp)
				a.takeBack(l, i)
			}
		}
	}
	for _, f := range l.functions {
		if !l.parallel && a.records.plain(f.kernel) {
			continue // it has its kernel's
		}
		k := a.records.at(f.kernel)
		if l.parallel && !f.certain {
			k.Parent, k.Arch = "", ""
		}
		if k.Arch == "" && k.Compilation >= 0 {
			k.Arch = a.log.Compilations[k.Compilation].Arch
		}
	}
}

// doubt takes numbers back that a mixed log only seemed to be certain of,
// because an entry was open and not seen to be.
func (a *assembler) doubt(l *lane) {
	// A Used line that nobody waited for: the Compiling line of its entry is
	// missing, so every line above can be that entry's.
	for i := a.first; i < l.stray; i++ {
		a.takeBack(l, i)
	}
	if !l.mixed {
		for _, i := range l.doubtful {
			a.takeBack(l, i)
		}
	}
	if l.stage != StagePtxas || len(l.risky) == 0 {
		return
	}
	// An entry whose properties line is missing: it could have had any line
	// that came after it was opened.
	hidden := a.records.rows.n
	for i, k := range a.records.others(a.first) {
		if lacksProperties(k) {
			a.takeBack(l, i)
			hidden = min(hidden, i)
			if a.torn && k.Name == "" {
				hidden = min(hidden, a.tornFrom)
			}
		}
	}
	for _, r := range l.risky {
		if r.opened > hidden {
			a.takeBack(l, r.kernel)
		}
	}
}

// lacksProperties reports an entry that must have properties and has none:
// from sm_30 on ptxas prints them for each. One whose Compiling line is torn
// has no architecture, and is none of the old.
func lacksProperties(k *draft) bool {
	if k.Stage != StagePtxas || k.Kind != Entry || k.StackBytes.Stated() {
		return false
	}
	return !oldArch(k.Arch) || k.Arch == "" && k.Defect.Has(Interleaved)
}

// takeBack makes the Used line of an entry uncertain again.
func (a *assembler) takeBack(l *lane, i int32) {
	if l.stage != StagePtxas && a.records.plain(i) {
		return
	}
	k := a.records.at(i)
	if k.Stage != l.stage || k.Kind != Entry {
		return
	}
	stack := k.StackBytes
	a.giveUsed(i, &msg.Values{}, "")
	if l.stage == StagePtxas {
		k.StackBytes = stack
	}
	k.Defect |= Interleaved
}

// withoutABI reports a log of kernels that were compiled with -abi=no, as
// CUDA 5 could: none has properties, and what a kernel spills is local memory
// in its Used line, where the newer architectures have none else.
func (a *assembler) withoutABI() bool {
	if a.properly {
		return false
	}
	for _, k := range a.records.others(a.first) {
		if k.Stage == StagePtxas && k.LocalBytes.Stated() && !k.CumulativeStackBytes.Stated() {
			return true
		}
	}
	return false
}

// faultDefects adds a fault for each record that is not whole.
func (a *assembler) faultDefects() {
	withoutABI := a.withoutABI()
	for _, k := range a.records.others(a.first) {
		if lacksProperties(k) && !withoutABI {
			k.Defect |= a.cutDefect()
		}
		if k.Defect == 0 {
			continue
		}
		line := k.Place.Line
		if k.Defect.Has(Interleaved) {
			a.fault(FaultInterleaved, "lines of several jobs ran together: the numbers of this record have no certain owner", k.Name, line)
		}
		if k.Defect.Has(Truncated) && !k.Defect.Has(Interleaved) { // else that is the cause
			a.fault(FaultTruncated, "the record is not whole: a line of it is cut or missing", k.Name, line)
		}
		if k.Defect.Has(Unnamed) {
			a.fault(FaultUnnamed, fmt.Sprintf("a record (%s registers, %s bytes of stack) whose name is not in the log", k.Registers, k.StackBytes), "", line)
		}
		if k.Defect.Has(Conflicting) {
			a.fault(FaultConflict, "the log states different numbers for this record", k.Name, line)
		}
	}
}
