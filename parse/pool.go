package parse

// A pool holds the records that wait for one kind of line that carries no
// name, and the lines that came while more than one record waited.
//
// Lines and records pair off: each record gets exactly one line, and a line
// belongs to a record that waited when it came. So when as many lines have
// come as records wait, the group is complete, and a record's numbers are
// certain when every way of pairing the group off gives it the same ones.
type pool struct {
	wait  []waiter
	ready int // waiters that can get their line now
	got   []arrival
	index map[string][]int32 // by name, kept once wait is long
}

// waiter is a record that waits. since is the message at which it became
// ready, 0 while a line for it can't come yet.
type waiter struct {
	kernel int32
	since  int32
}

// arrival is a line with several possible owners.
type arrival struct {
	numbers numbers
	seq     int32
	cut     bool
}

func (p *pool) await(kernel, seq int32, ready bool) {
	w := waiter{kernel: kernel}
	if ready {
		w.since = seq
		p.ready++
	}
	p.wait = append(p.wait, w)
}

// named finds the newest record of a name that is not ready yet.
func (p *pool) named(log *Log, name []byte) (int32, bool) {
	for i := len(p.wait) - 1; i >= 0; i-- {
		w := p.wait[i]
		if w.since == 0 || !log.Kernels[w.kernel].StackBytes.Stated() {
			if log.Kernels[w.kernel].Name == string(name) {
				return w.kernel, true
			}
		}
	}
	return 0, false
}

func (p *pool) makeReady(kernel, seq int32) {
	for i := len(p.wait) - 1; i >= 0; i-- {
		if w := &p.wait[i]; w.kernel == kernel {
			if w.since == 0 {
				w.since = seq
				p.ready++
			}
			return
		}
	}
}

func (p *pool) allReady(seq int32) {
	for i := range p.wait {
		if p.wait[i].since == 0 {
			p.wait[i].since = seq
		}
	}
	p.ready = len(p.wait)
}

// take removes the one record that can get a line now.
func (p *pool) take() int32 {
	for i, w := range p.wait {
		if w.since != 0 || len(p.wait) == 1 {
			p.wait = append(p.wait[:i], p.wait[i+1:]...)
			p.ready = 0
			return w.kernel
		}
	}
	return -1
}

func (p *pool) arrive(m *message, seq int32) {
	p.got = append(p.got, arrival{numbers: m.numbers, seq: seq, cut: m.cut})
}

// resolve pairs a complete group off.
func (a *assembler) resolve(p *pool, take func(*assembler, int32, *numbers)) {
	keep := p.wait[:0]
	for _, w := range p.wait {
		if w.since == 0 {
			keep = append(keep, w)
			continue
		}
		if n, certain := p.certain(w); certain {
			take(a, w.kernel, n)
		} else {
			a.log.Kernels[w.kernel].Defect |= Interleaved
		}
	}
	p.wait, p.got, p.ready = keep, p.got[:0], 0
}

// certain returns the numbers that every possible line of w states.
func (p *pool) certain(w waiter) (*numbers, bool) {
	var n *numbers
	for i := range p.got {
		g := &p.got[i]
		if g.seq < w.since {
			continue
		}
		if g.cut || n != nil && !n.same(&g.numbers) {
			return nil, false
		}
		n = &g.numbers
	}
	return n, n != nil
}
