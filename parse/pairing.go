package parse

import "math/bits"

// A settlement is what becomes of a group.
type settlement struct {
	// fits tells by its content that a line can be of a record.
	fits func(k *draft, line *arrival) bool
	// give hands over a line to the record that must own it.
	give func(kernel int32, line *arrival)
	// doubt says that a record's line is not certain.
	doubt func(kernel int32)
}

// resolve pairs a complete group off: each record gets the line that every
// possible pairing agrees on.
func (p *pool) resolve(all *records, s settlement) {
	if len(p.ready) <= maxPairing {
		p.pair(all, s)
	} else {
		// A group this large is no build but a damaged or hostile log. What
		// all its lines agree on is still certain.
		line := p.agreed(^uint64(0))
		for _, w := range p.ready {
			if line != nil {
				s.give(w.kernel, line)
			} else {
				s.doubt(w.kernel)
			}
		}
	}
	p.ready, p.got = p.ready[:0], p.got[:0]
}

// maxPairing bounds the groups that are paired off, and with it the cost:
// a group is a row of bits per record.
const maxPairing = 64

// pair finds for each record all lines that it has in some pairing of the
// whole group.
//
// A record can own the lines that came after it was ready and whose numbers
// fit it. Take any complete pairing; another one in which record r owns line l
// exists exactly when r can pass its line on along a chain of records, each
// taking the next one's line, that ends with the owner of l. So it is enough
// to know which records reach which in that graph.
func (p *pool) pair(all *records, s settlement) {
	n := len(p.ready)
	var can [maxPairing]uint64 // can[r]: the lines that record r can own
	for r, w := range p.ready {
		for l := range p.got {
			if g := &p.got[l]; g.seq > w.since && (g.cut || s.fits(all.at(w.kernel), g)) {
				can[r] |= 1 << l
			}
		}
	}
	owner, ok := anyPairing(can[:n])
	if !ok {
		for _, w := range p.ready {
			s.doubt(w.kernel)
		}
		return
	}
	var reach [maxPairing]uint64 // reach[r]: the records whose line r can take over, at last
	for r := range n {
		reach[r] = 1 << r
		for l := can[r]; l != 0; l &= l - 1 {
			reach[r] |= 1 << owner[bits.TrailingZeros64(l)]
		}
	}
	for via := range n {
		for r := range n {
			if reach[r]>>via&1 != 0 {
				reach[r] |= reach[via]
			}
		}
	}
	for r, w := range p.ready {
		var lines uint64
		for l := can[r]; l != 0; l &= l - 1 {
			line := bits.TrailingZeros64(l)
			// The owner of the line must in turn reach r, to close the chain.
			if reach[owner[line]]>>r&1 != 0 {
				lines |= 1 << line
			}
		}
		if line := p.agreed(lines); line != nil {
			s.give(w.kernel, line)
		} else {
			s.doubt(w.kernel)
		}
	}
}

// agreed returns the first of the lines when all of them state the same, else
// nil. A bit mask of all ones means all lines, however many.
func (p *pool) agreed(lines uint64) *arrival {
	var first *arrival
	for l := range p.got {
		if lines != ^uint64(0) && lines>>l&1 == 0 {
			continue
		}
		g := &p.got[l]
		if g.cut || first != nil && (first.Values != g.Values || first.banks != g.banks) {
			return nil
		}
		if first == nil {
			first = g
		}
	}
	return first
}

// anyPairing pairs records with lines one to one: owner[l] is the record of
// line l. ok is false when no complete pairing exists.
func anyPairing(can []uint64) (owner [maxPairing]int, ok bool) {
	for l := range owner {
		owner[l] = -1
	}
	for r := range can {
		var tried uint64
		if !findLine(can, r, &owner, &tried) {
			return owner, false
		}
	}
	return owner, true
}

// findLine gives record r a line, moving other records to other lines where
// that is needed.
func findLine(can []uint64, r int, owner *[maxPairing]int, tried *uint64) bool {
	for l := can[r] &^ *tried; l != 0; l = can[r] &^ *tried {
		line := bits.TrailingZeros64(l)
		*tried |= 1 << line
		if owner[line] < 0 || findLine(can, owner[line], owner, tried) {
			owner[line] = r
			return true
		}
	}
	return false
}
