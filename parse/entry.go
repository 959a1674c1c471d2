package parse

// entry opens the record of an entry function.
func (a *assembler) entry(l *lane, m *message, line int) {
	a.entries++
	if l.alone() {
		a.giveUp(l, &l.numbers)
		a.giveUp(l, &l.frames)
	} else if l.numbers.waiting() > 0 {
		l.parallel = true
	}
	if m.cut {
		m.name = nil // a part of a name is no name
	}
	i := a.open(l, m, Entry, line)
	k := &a.log.Kernels[i]
	a.settleArch(l, k)
	a.beginEntry(l)
	// Old toolkits print no properties for sm_1x, and not always for sm_2x:
	// such an entry can get its Used line at once.
	l.numbers.await(a.log, i, a.seq, a.tag(m), oldArch(k.Arch))
	l.last = i
}

// quiet reports that nothing waits for a line, so that a whole record can be
// taken as one.
func (a *assembler) quiet() bool {
	l := &a.ptxas
	return len(l.numbers.ready) == 0 && l.numbers.live == 0 && len(l.frames.ready) == 0 && l.twins == nil
}

// whole takes the record of an entry whose lines stand together, as entry,
// properties, stack and used do one after the other. m holds its numbers.
func (a *assembler) whole(m *message, line int) {
	name, hash := a.names.hashed(m.name)
	a.wholeNamed(name, hash, a.archs.intern(&a.names, m.arch), &m.values, a.banks.intern(&m.numbers), line)
}

func (a *assembler) wholeNamed(name string, hash uint64, arch string, v *values, banks Banks, line int) {
	l := &a.ptxas
	a.seq += 4
	a.entries++
	a.properly = true
	i := a.openNamed(l, name, hash, arch, Entry, line)
	k := &a.log.Kernels[i]
	a.settleArch(l, k)
	a.beginEntry(l)
	a.giveStack(i, v)
	a.giveUsed(i, v, banks)
	l.last, l.lastEnd = i, i
	l.done++
}

// tag returns the tag of the job that wrote a message.
func (a *assembler) tag(m *message) uint32 {
	if len(m.before) == 0 {
		return 0
	}
	if string(a.tagged) != string(m.before) {
		a.tagged = append(a.tagged[:0], m.before...)
		a.lastTag = jobTag(m.before)
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
		k := &a.log.Kernels[i]
		k.Defect |= Truncated
		if p == &l.numbers {
			l.lastEnd, l.givenUp = i, i
		}
	})
}

// settleArch gives the compilation the architecture of its first entry. One
// run of ptxas is for one architecture, so an entry of another belongs to a
// compilation whose module line is missing (sm_1x without globals) or
// elsewhere.
func (a *assembler) settleArch(l *lane, k *Kernel) {
	if l.comp < 0 {
		return
	}
	c := &a.log.Compilations[l.comp]
	switch c.Arch {
	case k.Arch:
	case "":
		c.Arch = k.Arch
	default:
		if k.Arch == "" && k.Defect.Has(Truncated) {
			return // its own is cut off
		}
		l.comp, k.Compilation = -1, -1
	}
}

// oldArch reports sm_1x, sm_2x and the unknown.
func oldArch(arch string) bool {
	return arch == "" || len(arch) == len("sm_20") && (arch[3] == '1' || arch[3] == '2')
}

// properties opens a function's record, or finds the entry's that is open.
func (a *assembler) properties(l *lane, m *message, line int) {
	if l.stage == StageNvlink {
		a.linked(l, m, line)
		return
	}
	a.properly = true
	if l.alone() {
		a.giveUp(l, &l.frames)
	}
	if m.cut {
		m.name = nil
	}
	if n := l.twins[string(m.name)]; n > 0 {
		// The entries that share the name wait for their stack lines
		// together since the first of these properties lines.
		l.twins[string(m.name)] = n - 1
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
		l.twins[string(m.name)] = len(owners) - 1
	}
	for _, i := range owners {
		l.frames.await(a.log, i, a.seq, a.tag(m), true)
		l.last = i
	}
	a.scratch = owners
}

// owners finds the open entries that a properties line can be of: those of
// its name. Whole names are compared: a callee's can be the entry's with a
// suffix.
func (a *assembler) owners(l *lane, m *message) []int32 {
	owners := a.scratch[:0]
	if m.cut {
		// The name is cut off. The only open entry is the only function that
		// a single job can write properties of now.
		if i := l.numbers.oldest(); l.alone() && l.numbers.waiting() == 1 && !a.log.Kernels[i].StackBytes.Stated() {
			l.numbers.admitAll(a.seq)
			a.log.Kernels[i].Defect |= Truncated
			owners = append(owners, i)
		}
		return owners
	}
	owners = l.numbers.admit(a.log, m.name, a.seq, a.tag(m), owners)
	if len(owners) > 0 {
		return owners
	}
	if len(l.numbers.ready) == 1 { // sm_1x and sm_2x are ready at once
		k := &a.log.Kernels[l.numbers.ready[0].kernel]
		if oldArch(k.Arch) && k.Name == string(m.name) && !k.StackBytes.Stated() {
			return append(owners, l.numbers.ready[0].kernel)
		}
	}
	if i := l.lastEnd; i >= 0 { // some logs have the Used line first
		k := &a.log.Kernels[i]
		if k.Name == string(m.name) && !k.StackBytes.Stated() && !k.Defect.Has(Truncated) {
			return append(owners, i)
		}
	}
	if l.alone() && l.numbers.waiting() == 1 {
		// The entry's own name was cut off in its Compiling line.
		i := l.numbers.oldest()
		if k := &a.log.Kernels[i]; k.Name == "" && k.Kind == Entry && !k.StackBytes.Stated() {
			k.Name = a.names.intern(m.name)
			l.numbers.admitAll(a.seq)
			return append(owners, i)
		}
	}
	return owners
}

// linked opens the record of an nvlink properties line. The linker's records
// are entries, and each takes one Used line.
func (a *assembler) linked(l *lane, m *message, line int) {
	if l.alone() {
		a.giveUp(l, &l.numbers)
	} else if l.numbers.waiting() > 0 {
		l.parallel = true
	}
	if m.cut {
		m.name = nil
	}
	i := a.open(l, m, Entry, line)
	if k := &a.log.Kernels[i]; k.Arch == "" && l.comp >= 0 {
		k.Arch = a.log.Compilations[l.comp].Arch
	}
	l.numbers.await(a.log, i, a.seq, a.tag(m), true)
	l.last = i
}
