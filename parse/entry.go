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
			l.lastEnd = i
		}
	})
}

// settleArch gives the compilation the architecture of its first entry. One
// run of ptxas is for one architecture, so an entry of another belongs to a
// compilation whose module line is missing (sm_1x without globals) or
// elsewhere.
func (a *assembler) settleArch(l *lane, k *Kernel) {
	if l.comp < 0 || k.Arch == "" {
		return
	}
	c := &a.log.Compilations[l.comp]
	switch c.Arch {
	case k.Arch:
	case "":
		c.Arch = k.Arch
	default:
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
		if i := l.numbers.oldest(); l.alone() && l.numbers.live == 1 {
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
	if l.alone() && l.numbers.live == 1 {
		// The entry's own name was cut off in its Compiling line.
		i := l.numbers.oldest()
		if k := &a.log.Kernels[i]; k.Name == "" && k.Kind == Entry {
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

// stack gives a stack line to the record whose properties line it follows.
// The two are one message, so they stay together and one record waits at any
// time; only text that was mixed after it was written has more.
func (a *assembler) stack(l *lane, m *message, line int) {
	p := &l.frames
	if p.waiting() == 0 {
		if m.cut {
			return
		}
		i := a.open(l, &message{}, KindUnknown, line)
		a.giveStack(i, &m.values)
		a.log.Kernels[i].Defect |= Unnamed
		l.last = i
		return
	}
	tag := a.tag(m)
	if i, certain := p.only(tag); certain {
		if m.cut {
			a.log.Kernels[i].Defect |= Truncated
			return
		}
		a.giveStack(i, &m.values)
		return
	}
	l.parallel = true
	p.got = append(p.got, arrival{values: m.values, seq: a.seq, cut: m.cut, tag: tag})
	if p.complete() {
		p.resolve(a.log, fitsAny, func(i int32, line *arrival) { a.giveStack(i, &line.values) })
	}
}

func fitsAny(*Kernel, *arrival) bool { return true }

func (a *assembler) giveStack(i int32, v *values) {
	k := &a.log.Kernels[i]
	k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes = v.stack, v.stores, v.loads
}

// used gives a Used line to the entry that waits for it.
func (a *assembler) used(l *lane, m *message, line int) {
	p := &l.numbers
	if p.waiting() == 0 {
		a.orphan(l, m, line)
		return
	}
	banks := a.banks.intern(&m.numbers)
	tag := a.tag(m)
	if i, certain := p.only(tag); certain {
		a.risk(l, i)
		a.giveUsed(i, &m.values, banks)
		if m.cut {
			a.log.Kernels[i].Defect |= Truncated
		}
		l.last, l.lastEnd = i, i
		l.done++
		a.complete(l)
		return
	}
	l.parallel = true
	if len(p.ready) == 0 { // a toolkit that prints no properties
		p.admitAll(a.seq - 1)
	}
	p.got = append(p.got, arrival{values: m.values, banks: banks, seq: a.seq, cut: m.cut, tag: tag})
	a.complete(l)
}

// complete pairs Used lines off with entries once there are as many of both.
func (a *assembler) complete(l *lane) {
	p := &l.numbers
	if len(p.got) == 0 || !p.complete() {
		return
	}
	l.done += len(p.ready)
	l.last, l.lastEnd = -1, -1
	p.resolve(a.log, fitsStack, func(i int32, line *arrival) {
		a.risk(l, i)
		a.giveUsed(i, &line.values, line.banks)
	})
}

func (a *assembler) risk(l *lane, i int32) {
	if l.numbers.live > 0 {
		l.risky = append(l.risky, risk{i, int32(len(a.log.Kernels))})
	}
}

// fitsStack tells by its content that a Used line can't be of an entry: the
// cumulative stack size counts the entry's own frame and its callees', so it
// is never less than the frame.
func fitsStack(k *Kernel, line *arrival) bool {
	cumulative, stated := line.cumulative.Value()
	return !stated || cumulative >= k.StackBytes.Or(0)
}

// giveUsed stores the numbers of a Used line.
func (a *assembler) giveUsed(i int32, v *values, banks Banks) {
	k := &a.log.Kernels[i]
	k.Registers, k.Barriers, k.SharedBytes = v.registers, v.barriers, v.shared
	k.CumulativeStackBytes, k.LocalBytes = v.cumulative, v.local
	k.Textures, k.Surfaces, k.Samplers = v.textures, v.surfaces, v.samplers
	k.ConstBytes = banks
	if k.Stage == StageNvlink {
		k.StackBytes = v.stack
	} else if v.cumulative.Stated() {
		a.ptxas.unit.whole = true // not printed with -rdc, where callees are not known
	}
}

// orphan keeps a Used line that no entry waits for: its Compiling line is not
// in the log, or is cut.
func (a *assembler) orphan(l *lane, m *message, line int) {
	i := a.open(l, &message{arch: m.arch}, KindUnknown, line)
	a.giveUsed(i, &m.values, a.banks.intern(&m.numbers))
	k := &a.log.Kernels[i]
	k.Defect |= Unnamed
	if m.cut {
		k.Defect |= Truncated
	}
	if i > 0 && l.last == i-1 && a.log.Kernels[i-1].Kind == Function {
		a.orphans = append(a.orphans, i)
	}
	l.last, l.stray = i, i
}
