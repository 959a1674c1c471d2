package parse

import "github.com/occlint/occlint/parse/internal/msg"

// A pool holds the records that wait for one kind of line that carries no
// name, and the lines that came while more than one record waited for one.
//
// Lines and records pair off: each record gets exactly one line, and a line
// belongs to a record that waited for it when it came. With one record
// waiting, the owner is certain. With more, lines are kept until as many have
// come as records wait. Then the group is complete, and resolve gives a record
// its numbers when every way of pairing the group off gives it the same ones.
type pool struct {
	later  []int32            // records that can't get their line yet; -1 where one was taken out
	live   int                // of later
	byName map[string][]int32 // positions in later by name, kept once it is long
	ready  []waiter           // records that can get their line now
	got    []arrival          // lines with several possible owners
	loose  bool               // a line is lost, and which record lost it is not known
}

// leave takes out a record that is ready and whose line can't come any more.
// doubted says that its line may be one of those that came: then from now on no
// line is certain until all that wait have left.
func (p *pool) leave(kernel int32) (left, doubted bool) {
	for i, w := range p.ready {
		if w.kernel == kernel {
			p.ready = append(p.ready[:i], p.ready[i+1:]...)
			doubted = len(p.got) > 0 || p.loose
			p.got, p.loose = p.got[:0], doubted && len(p.ready) > 0
			return true, doubted
		}
	}
	return false, false
}

// doubt calls f for each record that is ready, none of whose lines is certain.
func (p *pool) doubt(f func(kernel int32)) {
	for _, w := range p.ready {
		f(w.kernel)
	}
}

// waiter is a record that can get a line that comes after the message since.
type waiter struct {
	kernel, since int32
	tag           uint32 // of the job, 0 when the log does not tell jobs apart
}

// arrival is a line with several possible owners.
type arrival struct {
	msg.Values
	banks Banks
	seq   int32
	cut   bool
	tag   uint32
}

// longPool is where a pool begins to look names up in an index.
const longPool = 32

func (p *pool) waiting() int { return p.live + len(p.ready) }

// await adds a record. ready says that its line can come at once.
func (p *pool) await(all *records, kernel, seq int32, tag uint32, ready bool) {
	if ready {
		p.ready = append(p.ready, waiter{kernel, seq, tag})
		return
	}
	if p.live == 0 {
		p.later, p.byName = p.later[:0], nil
	}
	if p.byName != nil {
		name := all.at(kernel).Name
		p.byName[name] = append(p.byName[name], int32(len(p.later)))
	}
	p.later = append(p.later, kernel)
	p.live++
	if len(p.later) > longPool && p.byName == nil || len(p.later) > 4*longPool && p.live < len(p.later)/2 {
		p.reindex(all)
	}
}

// reindex drops the holes of later and builds the index anew. It runs when
// later has doubled or half of it is holes, so it costs a constant per record.
func (p *pool) reindex(all *records) {
	kept := p.later[:0]
	p.byName = make(map[string][]int32, p.live)
	for _, k := range p.later {
		if k >= 0 {
			name := all.at(k).Name
			p.byName[name] = append(p.byName[name], int32(len(kept)))
			kept = append(kept, k)
		}
	}
	p.later = kept
}

// admit makes every record of a name ready, and returns them in into.
func (p *pool) admit(all *records, name []byte, seq int32, tag uint32, into []int32) []int32 {
	take := func(i int32) {
		k := p.later[i]
		p.later[i] = -1
		p.live--
		p.ready = append(p.ready, waiter{k, seq, tag})
		into = append(into, k)
	}
	if p.byName != nil {
		for _, i := range p.byName[string(name)] {
			if p.later[i] >= 0 {
				take(i)
			}
		}
		delete(p.byName, string(name))
		return into
	}
	for i, k := range p.later {
		if k >= 0 && all.at(k).Name == string(name) {
			take(int32(i))
		}
	}
	return into
}

// admitAll makes every record ready for a line after the message seq.
func (p *pool) admitAll(seq int32) {
	for _, k := range p.later {
		if k >= 0 {
			p.ready = append(p.ready, waiter{kernel: k, since: seq})
		}
	}
	p.later, p.byName, p.live = p.later[:0], nil, 0
}

// only returns the record that must own the line that comes now, and takes it
// out. Without a record that is ready, it is the single one that waits: not
// all toolkits print what makes a record ready. With several that are, it is
// the single one whose job the line's wrapper names: a build tool that puts a
// job's name in front of its lines knows whose they are.
func (p *pool) only(tag uint32) (kernel int32, certain bool) {
	if tag != 0 && len(p.ready) > 1 {
		if i := p.tagged(tag); i >= 0 {
			kernel = p.ready[i].kernel
			p.ready = append(p.ready[:i], p.ready[i+1:]...)
			return kernel, true
		}
	}
	switch {
	case len(p.got) > 0:
	case len(p.ready) == 1:
		kernel = p.ready[0].kernel
		p.ready = p.ready[:0]
		return kernel, true
	case len(p.ready) == 0 && p.live == 1:
		p.admitAll(0)
		return p.only(tag)
	}
	return -1, false
}

// tagged returns the position of the only ready record of a job, -1 when
// there is none or several, or when jobs are not told apart: some record has
// no tag.
func (p *pool) tagged(tag uint32) int {
	const most = 64 // bounds the search; a build with more jobs has no tags
	if len(p.ready) > most {
		return -1
	}
	found := -1
	for i, w := range p.ready {
		if w.tag == 0 || w.tag == tag && found >= 0 {
			return -1
		}
		if w.tag == tag {
			found = i
		}
	}
	for i := range p.got {
		if p.got[i].tag == tag || p.got[i].tag == 0 {
			return -1 // a line that came before can be the record's
		}
	}
	return found
}

// oldest returns the record that has waited longest, -1 for none.
func (p *pool) oldest() int32 {
	if len(p.ready) > 0 {
		return p.ready[0].kernel
	}
	for _, k := range p.later {
		if k >= 0 {
			return k
		}
	}
	return -1
}

// complete reports whether as many lines have come as records can own one.
func (p *pool) complete() bool { return len(p.got) == len(p.ready) }

// drop empties the pool and calls f for each record that still waits. owned
// says that one of the lines that came may be the record's.
func (p *pool) drop(f func(kernel int32, owned bool)) {
	for _, w := range p.ready {
		f(w.kernel, len(p.got) > 0)
	}
	for _, k := range p.later {
		if k >= 0 {
			f(k, false)
		}
	}
	*p = pool{later: p.later[:0], ready: p.ready[:0], got: p.got[:0]}
}
