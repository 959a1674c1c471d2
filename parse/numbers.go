package parse

import "slices"

// stack gives a stack line to the record whose properties line it follows.
// The two are one message, so they stay together and one record waits at any
// time; only text that was mixed after it was written has more.
func (a *assembler) stack(l *lane, m *message, line int) {
	p := &l.frames
	if p.waiting() == 0 {
		i := a.open(l, &message{}, KindUnknown, line)
		a.giveStack(i, &m.values)
		a.records.at(i).Defect |= Unnamed
		if !m.loads.Stated() {
			a.records.at(i).Defect |= Truncated
		}
		l.last = i
		return
	}
	tag := a.tag(m)
	if i, certain := p.only(tag); certain {
		if m.cut {
			a.records.at(i).Defect |= Truncated
			return
		}
		a.giveStack(i, &m.values)
		return
	}
	l.parallel = true
	p.got = append(p.got, arrival{values: m.values, seq: a.seq, cut: m.cut, tag: tag})
	if p.complete() {
		p.resolve(a.records, settlement{
			fits:  func(*Kernel, *arrival) bool { return true },
			give:  func(i int32, line *arrival) { a.giveStack(i, &line.values) },
			doubt: a.interleaved,
		})
	}
}

func (a *assembler) interleaved(i int32) { a.records.at(i).Defect |= Interleaved }

func (a *assembler) giveStack(i int32, v *values) {
	k := a.records.at(i)
	k.takeStack(v)
	if k.Kind != Entry && v.stack.Or(0) > 0 {
		a.framed = true
	}
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
		if a.disputed(l, i) {
			return
		}
		a.risk(l, i)
		a.giveUsed(i, &m.values, banks)
		if m.cut {
			a.records.at(i).Defect |= Truncated
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
	l.mixed = l.mixed || len(p.ready) > 1
	var group pool
	if len(p.ready) <= maxPairing {
		group.ready, group.got = slices.Clone(p.ready), slices.Clone(p.got)
	}
	unsure := false
	p.resolve(a.records, settlement{
		fits: fitsStack,
		give: func(i int32, line *arrival) {
			a.risk(l, i)
			a.giveUsed(i, &line.values, line.banks)
		},
		doubt: func(i int32) {
			a.interleaved(i)
			unsure = true
		},
	})
	if unsure && len(group.ready) > 0 {
		l.unsure = append(l.unsure, group)
	}
}

// reconsider pairs groups off once more at the end of the log, when more is
// known: if no function in it has a frame, then the cumulative stack size of
// an entry, which is its own frame and those of the functions it calls, is its
// own frame (TestCumulativeStack holds real compilers to that). So a line that
// states one can only be of an entry with just that frame.
func (a *assembler) reconsider(l *lane) {
	if a.framed || l.stray >= 0 || len(l.unsure) == 0 {
		return
	}
	for _, k := range a.records.others(a.first) {
		if lacksProperties(k) || k.Kind != Entry && !k.StackBytes.Stated() {
			return // something of this log is missing, so nothing more is known of it
		}
	}
	for i := range l.unsure {
		l.unsure[i].resolve(a.records, settlement{
			fits: func(k *Kernel, line *arrival) bool {
				return !line.cumulative.Stated() || line.cumulative == k.StackBytes
			},
			give: func(i int32, line *arrival) {
				if k := a.records.at(i); k.Defect.Has(Interleaved) {
					a.giveUsed(i, &line.values, line.banks)
					k.Defect &^= Interleaved
				}
			},
			doubt: func(int32) {},
		})
	}
}

func (a *assembler) risk(l *lane, i int32) {
	if l.numbers.live > 0 {
		l.risky = append(l.risky, risk{i, a.records.rows.n})
		l.mixed = true
	}
}

// disputed reports that a Used line is as likely that of the entry before,
// which was given up: it stands above the properties of entry i, where only
// some logs have it.
func (a *assembler) disputed(l *lane, i int32) bool {
	k := a.records.at(i)
	if l.givenUp < 0 || !lacksProperties(k) {
		return false
	}
	k.Defect |= Interleaved
	a.records.at(l.givenUp).Defect |= Interleaved
	l.numbers.await(a.records, i, a.seq, 0, false) // its own can follow
	return true
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
	k := a.records.at(i)
	k.takeUsed(v, banks)
	if k.Stage == StageNvlink {
		k.StackBytes = v.stack
	} else if v.cumulative.Stated() {
		a.ptxas.unit.whole = true // not printed with -rdc, where callees are not known
	}
}

func (a *assembler) isFunction(i int32) bool {
	kind, _ := a.records.kind(i)
	return kind == Function
}

func (k *Kernel) takeStack(v *values) {
	k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes = v.stack, v.stores, v.loads
}

func (k *Kernel) takeUsed(v *values, banks Banks) {
	k.Registers, k.Barriers, k.SharedBytes = v.registers, v.barriers, v.shared
	k.CumulativeStackBytes, k.LocalBytes = v.cumulative, v.local
	k.Textures, k.Surfaces, k.Samplers = v.textures, v.surfaces, v.samplers
	k.ConstBytes = banks
}

// orphan keeps a Used line that no entry waits for: its Compiling line is not
// in the log, or is cut.
func (a *assembler) orphan(l *lane, m *message, line int) {
	i := a.open(l, &message{arch: m.arch}, KindUnknown, line)
	a.giveUsed(i, &m.values, a.banks.intern(&m.numbers))
	k := a.records.at(i)
	k.Defect |= Unnamed
	if m.cut {
		k.Defect |= Truncated
	}
	if i > 0 && l.last == i-1 && a.isFunction(i-1) {
		a.orphans = append(a.orphans, i)
	}
	l.last, l.stray = i, i
}
