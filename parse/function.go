package parse

import (
	"github.com/occlint/occlint/parse/internal/msg"
)

// function opens the record of a function that was not inlined.
func (a *assembler) function(l *lane, m *msg.Message, line int) int32 {
	lost := a.interrupted(l)
	parent, certain := a.parent(l)
	i := a.open(l, m, Function, line)
	if lost {
		// Perhaps it is an entry, and its Compiling line is lost too.
		parent, a.records.at(i).Defect = -1, a.cutDefect()
	}
	if parent >= 0 {
		k := a.records.at(i)
		k.Parent, k.Arch = a.records.nameAndArch(parent)
	}
	l.functions = append(l.functions, callee{i, certain})
	if l.linkage.entries == 0 {
		l.linkage.before = true
	}
	return i
}

// interrupted notices that another function's properties stand between an
// entry's stack line and its Used line. From sm_30 on no job writes so: lines
// are missing, or, where several jobs wrote, the line is another job's. In the
// log of one job the entry's Used line can't come any more, and if one does it
// is of an entry whose Compiling line is missing. Of several jobs the next Used
// line has no certain owner.
func (a *assembler) interrupted(l *lane) (lost bool) {
	if l.awaitUsed.waiting() != 1 {
		return false
	}
	i := l.awaitUsed.oldest()
	if k := a.records.at(i); oldArch(k.Arch) || !k.StackBytes.Stated() {
		return false
	}
	if l.alone() {
		a.giveUp(l, &l.awaitUsed)
		return true
	}
	l.doubtful = append(l.doubtful, i)
	return false
}

// parent returns the entry that a function was compiled for if its
// compilation is a whole-program one, -1 where the log does not say. certain
// says that this holds even if other jobs write at the same time.
func (a *assembler) parent(l *lane) (entry int32, certain bool) {
	if n := l.awaitUsed.waiting(); n == 1 {
		i := l.awaitUsed.oldest()
		if l.alone() || oldArch(a.records.at(i).Arch) {
			// CUDA 4.x writes the callees before the entry's Used line.
			l.linkage.whole = true
			return i, l.alone()
		}
		// From sm_30 on the callees come after their entry's Used line, so
		// this one is another job's.
		a.mix(l)
		return -1, true
	} else if n > 1 {
		return -1, true
	}
	return l.lastEnd, l.modules <= 1 // with -rdc it can be of a unit that has no entry yet
}

// beginEntry notes that an entry of the compilation follows what was printed
// of it so far.
func (a *assembler) beginEntry(l *lane) {
	u := &l.linkage
	if u.entries > 0 && len(l.functions) > u.functions {
		u.between = true
	}
	u.entries++
}

// settleLinkage decides which functions of the compilation that ends were compiled
// for the entry above them.
func (a *assembler) settleLinkage(l *lane) {
	u := l.linkage
	functions := l.functions[u.functions:]
	l.linkage = linkage{functions: len(l.functions)}
	if l.parallel {
		return
	}
	for _, f := range functions {
		k := a.records.kernel(f.kernel)
		if k.Parent == "" {
			continue
		}
		// Behind the last of several entries and nowhere else: that is also
		// where -rdc puts the functions that no entry calls. Behind a single
		// one it does so too, but only a unit whose one kernel calls none of
		// its functions looks like that; any other has some before.
		behind := u.entries > 1 && !u.between && !u.whole && !merged(k.Class) && !a.timed(f.kernel)
		if u.before || behind {
			a.records.orphan(f.kernel)
		}
	}
}

// merged reports a function that spills and has no frame to spill to: it uses
// its caller's, as only a whole-program compilation can arrange.
func merged(k *Class) bool {
	return k.StackBytes.Stated() && k.StackBytes.Or(0) == 0 && k.SpillStoreBytes.Or(0) > 0
}

// timed reports that a toolkit which prints compile times printed none for a
// function: it was compiled together with its entry. It is asked for one
// function after the other.
func (a *assembler) timed(function int32) bool {
	for ; a.looked < function; a.looked++ {
		if kind, stage := a.records.kind(a.looked); stage != StagePtxas || kind == Entry {
			a.above = a.looked
		}
	}
	return a.above >= 0 && a.records.compileMicros(a.above).Stated() && !a.records.compileMicros(function).Stated()
}

// wholeFunction takes the record of a function that stands whole, as
// properties and stack do one after the other. It returns false, and does
// nothing, where the record is no plain one.
func (a *assembler) wholeFunction(w *wholeRecord, wordings *wordingCache, line int) bool {
	l := &a.ptxas
	parent, certain := a.parent(l)
	if l.comp < 0 || parent < 0 || !a.records.plain(parent) {
		return false
	}
	c := w.wording.of(a.records.classOf(parent).Arch, wordings)
	if c == nil {
		return false
	}
	a.seq += int32(w.lines)
	a.properly, a.stated = true, true
	i := a.records.add(a.records.names.number(w.name, w.hash, w.place), c, line, l.comp)
	of := a.records.rows.at(parent).name
	a.records.rows.at(i).parent = of
	if !l.seen.add(w.hash ^ uint64(of+1)*0x9E3779B97F4A7C15) {
		a.twice = append(a.twice, i) // it can contradict itself
	}
	l.functions = append(l.functions, callee{i, certain})
	if l.linkage.entries == 0 {
		l.linkage.before = true
	}
	if c.class.StackBytes.Or(0) > 0 {
		a.framed = true
	}
	l.last = i
	return true
}

// time gives a compile time to the record that was completed last.
func (a *assembler) time(l *lane, m *msg.Message) {
	if l.last < 0 || m.Cut {
		return
	}
	if a.records.plain(l.last) && a.records.classOf(l.last).Kind == Entry {
		if row := a.records.rows.at(l.last); !row.micros.Stated() {
			row.micros = count(m.Micros)
		}
		return
	}
	k := a.records.at(l.last)
	if k.CompileMicros.Stated() {
		return
	}
	k.CompileMicros = Micros{count(m.Micros)}
	if k.Kind == Function {
		k.Parent = "" // it was compiled on its own
	}
}
