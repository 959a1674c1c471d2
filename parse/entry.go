package parse

import (
	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/msg"
)

// entry opens the record of an entry function.
func (a *assembler) entry(l *lane, m *msg.Message, line int) {
	a.entries++
	if l.alone() {
		a.giveUp(l, &l.awaitUsed)
		a.giveUp(l, &l.awaitStack)
	} else if l.awaitUsed.waiting() > 0 {
		a.mix(l)
	}
	if m.NameCut && (m.Cut || a.torn) { // what tears messages prints architectures
		m.Name, m.Cut = nil, true // a part of a name is no name
	}
	i := a.open(l, m, Entry, line)
	k := a.records.at(i)
	if k.Name == "" {
		a.missName(line)
	}
	a.settleArch(l, k)
	a.beginEntry(l)
	// Old toolkits print no properties for sm_1x, and not always for sm_2x:
	// such an entry can get its Used line at once.
	l.awaitUsed.await(a.records, i, a.seq, a.tag(m), oldArch(k.Arch) && (!m.Cut || k.Name == ""))
	l.last = i
}

// quiet reports that nothing waits for a line, so that a whole record can be
// taken as one.
func (a *assembler) quiet() bool {
	l := &a.ptxas
	return len(l.awaitUsed.ready) == 0 && l.awaitUsed.live == 0 && len(l.awaitStack.ready) == 0 && l.twins == nil
}

// whole takes the record of an entry whose lines stand together, as entry,
// properties, stack, used and time do one after the other.
func (a *assembler) whole(w *wholeRecord, line int) {
	l := &a.ptxas
	a.seq += int32(w.lines)
	a.entries++
	a.properly, a.stated = true, true
	if !a.bare.headed {
		a.headed()
	}
	i := a.records.rows.n
	a.note(l, i, w.hash)
	if l.comp = a.compilationFor(l, w.wording.arch, false); l.comp >= 0 {
		a.records.add(a.records.names.number(w.name, w.hash, w.place), w.wording, line, l.comp)
		a.records.rows.at(i).micros = w.micros
	} else {
		k, _ := a.records.addDraft()
		k.Class = *w.wording.class
		k.Name, k.Compilation, k.CompileMicros = a.names.intern(w.name), l.comp, Micros{w.micros}
		k.Place = a.place(line)
	}
	a.beginEntry(l)
	if w.wording.class.CumulativeStackBytes.Stated() {
		l.linkage.whole = true
	}
	l.last, l.lastEnd = i, i
	l.done++
}

// tag returns the tag of the job that wrote a message.
func (a *assembler) tag(m *msg.Message) uint32 {
	if len(m.Before) == 0 {
		return 0
	}
	if string(a.tagged) != string(m.Before) {
		a.tagged = append(a.tagged[:0], m.Before...)
		a.lastTag = logtext.JobTag(m.Before)
	}
	return a.lastTag
}

// giveUp closes what a single job left open. It writes an entry's last line
// before the next entry's first, so the lines that are still awaited are not
// in the log.
func (a *assembler) giveUp(l *lane, p *pool) {
	if p.waiting() == 0 {
		return
	}
	p.drop(func(i int32, _ bool) {
		k := a.records.at(i)
		k.Defect |= Truncated
		if p == &l.awaitUsed {
			l.lastEnd, l.givenUp = i, i
		}
	})
}

// settleArch gives the compilation the architecture of its first entry, and
// the entry its compilation.
func (a *assembler) settleArch(l *lane, k *draft) {
	if l.comp < 0 {
		return
	}
	l.comp = a.compilationFor(l, k.Arch, k.Arch == "" && k.Defect.Has(Truncated))
	k.Compilation = l.comp
}

// compilationFor returns the compilation of an entry that comes now. One run
// of ptxas is for one architecture, so an entry of another belongs to a
// compilation whose module line is missing (sm_1x without globals) or
// elsewhere. cut says that the entry's own is cut off.
func (a *assembler) compilationFor(l *lane, arch string, cut bool) int {
	if l.comp < 0 {
		return -1
	}
	c := &a.log.Compilations[l.comp]
	switch {
	case c.Arch == arch, cut:
	case c.Arch == "":
		c.Arch = arch
	default:
		return -1
	}
	return l.comp
}

// oldArch reports sm_1x, sm_2x and the unknown.
func oldArch(arch string) bool {
	return arch == "" || len(arch) == len("sm_20") && (arch[3] == '1' || arch[3] == '2')
}

// properties opens a function's record, or finds the entry's that is open.
func (a *assembler) properties(l *lane, m *msg.Message, line int) {
	if l.stage == StageNvlink {
		a.linked(l, m, line)
		return
	}
	a.properly = true
	if l.alone() {
		a.giveUp(l, &l.awaitStack)
	}
	if m.Cut {
		m.Name = nil
	}
	if n := l.twins[string(m.Name)]; n > 0 {
		// The entries that share the name wait for their stack lines
		// together since the first of these properties lines, and those that
		// were opened in between since this one.
		late := l.awaitUsed.admit(a.records, m.Name, a.seq, a.tag(m), a.scratch[:0])
		for _, i := range late {
			l.awaitStack.await(a.records, i, a.seq, a.tag(m), true)
		}
		l.twins[string(m.Name)] = n - 1 + len(late)
		a.scratch = late
		return
	}
	owners := a.owners(l, m)
	if len(owners) == 0 {
		owners = append(owners, a.function(l, m, line))
	}
	if len(owners) > 1 {
		if l.twins == nil {
			l.twins = make(map[string]int)
		}
		l.twins[string(m.Name)] = len(owners) - 1
	}
	for _, i := range owners {
		l.awaitStack.await(a.records, i, a.seq, a.tag(m), true)
		l.last = i
	}
	a.scratch = owners
}

// owners finds the open entries that a properties line can be of: those of
// its name. Whole names are compared: a callee's can be the entry's with a
// suffix.
func (a *assembler) owners(l *lane, m *msg.Message) []int32 {
	owners := a.scratch[:0]
	if m.Cut {
		// The name is cut off. The only open entry is the only function that
		// a single job can write properties of now.
		if i := l.awaitUsed.oldest(); l.alone() && l.awaitUsed.waiting() == 1 && !a.records.at(i).StackBytes.Stated() {
			l.awaitUsed.admitAll(a.seq)
			a.records.at(i).Defect |= Truncated
			owners = append(owners, i)
		}
		return owners
	}
	owners = l.awaitUsed.admit(a.records, m.Name, a.seq, a.tag(m), owners)
	if len(owners) > 0 {
		return owners
	}
	if len(l.awaitUsed.ready) == 1 { // sm_1x and sm_2x are ready at once
		k := a.records.at(l.awaitUsed.ready[0].kernel)
		if oldArch(k.Arch) && k.Name == string(m.Name) && !k.StackBytes.Stated() {
			return append(owners, l.awaitUsed.ready[0].kernel)
		}
	}
	if i := l.lastEnd; i >= 0 && !a.torn && !a.records.plain(i) { // some old logs have the Used line first
		k := a.records.at(i)
		if k.Name == string(m.Name) && !k.StackBytes.Stated() && !k.Defect.Has(Truncated) {
			return append(owners, i)
		}
	}
	if l.alone() && l.awaitUsed.waiting() == 1 {
		// The entry's own name was cut off in its Compiling line.
		i := l.awaitUsed.oldest()
		if k := a.records.at(i); k.Name == "" && k.Kind == Entry && !k.StackBytes.Stated() {
			k.Name = a.names.intern(m.Name)
			l.awaitUsed.admitAll(a.seq)
			return append(owners, i)
		}
	}
	return owners
}

// linked opens the record of an nvlink properties line. The linker's records
// are entries, and each takes one Used line.
func (a *assembler) linked(l *lane, m *msg.Message, line int) {
	if l.alone() {
		a.giveUp(l, &l.awaitUsed)
	} else if l.awaitUsed.waiting() > 0 {
		a.mix(l)
	}
	if m.Cut {
		m.Name = nil
	}
	i := a.open(l, m, Entry, line)
	if k := a.records.at(i); k.Arch == "" && l.comp >= 0 {
		k.Arch = a.log.Compilations[l.comp].Arch
	}
	l.awaitUsed.await(a.records, i, a.seq, a.tag(m), true)
	l.last = i
}
