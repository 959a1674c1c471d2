package parse

import (
	"slices"

	"github.com/occlint/occlint/parse/internal/msg"
)

// stack gives a stack line to the record whose properties line it follows.
// The two are one message, so they stay together and one record waits at any
// time; only text that was mixed after it was written has more.
func (a *assembler) stack(l *lane, m *msg.Message, line int) {
	p := &l.awaitStack
	if p.waiting() == 0 {
		if a.stackOfOpen(l, m) {
			return
		}
		i := a.open(l, &msg.Message{}, KindUnknown, line)
		a.giveStack(i, &m.Values)
		a.records.at(i).Defect |= Unnamed
		if !m.Loads.Stated() {
			a.records.at(i).Defect |= Truncated
		}
		l.last = i
		return
	}
	if p.loose {
		p.doubt(a.interleaved)
		return
	}
	tag := a.tag(m)
	if i, certain := p.only(tag); certain {
		if m.Cut {
			a.records.at(i).Defect |= a.cutDefect()
			return
		}
		a.giveStack(i, &m.Values)
		return
	}
	a.mix(l)
	p.got = append(p.got, arrival{Values: m.Values, seq: a.seq, cut: m.Cut, tag: tag})
	if p.complete() {
		p.resolve(a.records, settlement{
			fits:  func(*draft, *arrival) bool { return true },
			give:  func(i int32, line *arrival) { a.giveStack(i, &line.Values) },
			doubt: a.interleaved,
		})
	}
}

// leaveStack takes an entry that got its Used line out of those that wait for
// their stack line. It comes before, so it is lost, and one lost line costs one
// record.
func (a *assembler) leaveStack(l *lane, i int32) {
	left, doubted := l.awaitStack.leave(i)
	switch {
	case !left:
	case doubted:
		a.interleaved(i)
		l.awaitStack.doubt(a.interleaved)
	default:
		a.records.at(i).Defect |= a.cutDefect()
	}
}

// stackOfOpen gives a stack line to the entry that is open, in the log of one
// job that has no properties lines: somebody left them out (grep -E
// 'Compiling|stack|Used'), and between an entry's first and its Used line stands
// no other's. From sm_30 on, and from CUDA 5 on, a callee's comes behind it.
func (a *assembler) stackOfOpen(l *lane, m *msg.Message) bool {
	if a.properly || m.Bare || !l.alone() || l.awaitUsed.waiting() != 1 {
		return false
	}
	i := l.awaitUsed.oldest()
	k := a.records.at(i)
	if k.Kind != Entry || l.awaitUsed.live == 0 && !oldArch(k.Arch) {
		return false
	}
	if k.StackBytes.Stated() || k.Defect.Has(Interleaved) {
		a.interleaved(i) // two, or perhaps a callee's
		k.stateStack(&msg.Values{})
		return true
	}
	if m.Cut {
		k.Defect |= Truncated
		return true
	}
	a.giveStack(i, &m.Values)
	return true
}

func (a *assembler) interleaved(i int32) { a.records.at(i).Defect |= Interleaved }

func (a *assembler) giveStack(i int32, v *msg.Values) {
	k := a.records.at(i)
	k.stateStack(v)
	if k.Kind != Entry && count(v.Stack).Or(0) > 0 {
		a.framed = true
	}
}

// used gives a Used line to the entry that waits for it.
func (a *assembler) used(l *lane, m *msg.Message, line int) {
	p := &l.awaitUsed
	if p.waiting() == 0 {
		a.orphan(l, m, line)
		return
	}
	banks := a.banks.intern(&m.Quantities)
	tag := a.tag(m)
	if i, certain := p.only(tag); certain {
		if a.disputed(l, i) {
			return
		}
		a.risk(l, i)
		a.giveUsed(i, &m.Values, banks)
		if m.Cut {
			a.records.at(i).Defect |= a.cutDefect()
		}
		a.leaveStack(l, i)
		l.last, l.lastEnd = i, i
		l.done++
		a.complete(l)
		return
	}
	a.mix(l)
	if len(p.ready) == 0 { // a toolkit that prints no properties
		p.admitAll(a.seq - 1)
	}
	p.got = append(p.got, arrival{Values: m.Values, banks: banks, seq: a.seq, cut: m.Cut, tag: tag})
	a.complete(l)
}

// complete pairs Used lines off with entries once there are as many of both.
func (a *assembler) complete(l *lane) {
	p := &l.awaitUsed
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
			a.giveUsed(i, &line.Values, line.banks)
			a.leaveStack(l, i)
		},
		doubt: func(i int32) {
			a.interleaved(i)
			a.leaveStack(l, i) // its Used line is one of the group's, so it has come
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
			fits: func(k *draft, line *arrival) bool {
				return !line.Cumulative.Stated() || count(line.Cumulative) == k.StackBytes
			},
			give: func(i int32, line *arrival) {
				// What lacks its architecture is marked for that, too.
				if k := a.records.at(i); k.Defect.Has(Interleaved) && k.Name != "" && k.Arch != "" {
					a.giveUsed(i, &line.Values, line.banks)
					k.Defect &^= Interleaved
				}
			},
			doubt: func(int32) {},
		})
	}
}

func (a *assembler) risk(l *lane, i int32) {
	if l.awaitUsed.live > 0 {
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
	l.awaitUsed.await(a.records, i, a.seq, 0, false) // its own can follow
	return true
}

// fitsStack tells by its content that a Used line can't be of an entry: the
// cumulative stack size counts the entry's own frame and its callees', so it
// is never less than the frame.
func fitsStack(k *draft, line *arrival) bool {
	cumulative, stated := count(line.Cumulative).Value()
	return !stated || cumulative >= k.StackBytes.Or(0)
}

// giveUsed stores the numbers of a Used line.
func (a *assembler) giveUsed(i int32, v *msg.Values, banks Banks) {
	k := a.records.at(i)
	k.stateUsed(v, banks)
	if k.Stage == StageNvlink {
		k.StackBytes = count(v.Stack)
	} else if v.Cumulative.Stated() {
		a.ptxas.linkage.whole = true // not printed with -rdc, where callees are not known
	}
}

func (a *assembler) isFunction(i int32) bool {
	kind, _ := a.records.kind(i)
	return kind == Function
}

// stateStack states the numbers of a stack line.
func (k *Class) stateStack(v *msg.Values) {
	k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes = count(v.Stack), count(v.Stores), count(v.Loads)
}

// stateUsed states the numbers of a Used line.
func (k *Class) stateUsed(v *msg.Values, banks Banks) {
	k.Registers, k.Barriers, k.SharedBytes = count(v.Registers), count(v.Barriers), count(v.Shared)
	k.CumulativeStackBytes, k.LocalBytes = count(v.Cumulative), count(v.Local)
	k.Textures, k.Surfaces, k.Samplers = count(v.Textures), count(v.Surfaces), count(v.Samplers)
	k.ConstBytes = banks
}

// orphan keeps a Used line that no entry waits for: its Compiling line is not
// in the log, or is cut.
func (a *assembler) orphan(l *lane, m *msg.Message, line int) {
	i := a.open(l, &msg.Message{Arch: m.Arch}, KindUnknown, line)
	a.giveUsed(i, &m.Values, a.banks.intern(&m.Quantities))
	k := a.records.at(i)
	k.Defect |= Unnamed
	if m.Cut {
		k.Defect |= Truncated
	}
	if i > 0 && l.last == i-1 && (a.isFunction(i-1) || i-1 == a.first) {
		a.orphans = append(a.orphans, i)
		if i-1 == a.first {
			l.linkage.before = false // see adopt: it is no function
		}
	}
	l.last, l.stray = i, i
}
