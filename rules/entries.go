package rules

import "hash/maphash"

// counter counts the entries of a log beside the judging.
type counter struct {
	done chan struct{}
	n    int
}

// countEntries begins to count the distinct names and architectures among the
// units that jobs found to be the first of theirs, as far as each could see.
func (j *judge) countEntries(jobs []declaring) *counter {
	total := 0
	for i := range jobs {
		total += len(jobs[i].entries)
	}
	if total < worthSharing {
		return counted(j.distinctEntries(jobs, total))
	}
	c := &counter{done: make(chan struct{})}
	go func() {
		defer close(c.done)
		c.n = j.distinctEntries(jobs, total)
	}()
	return c
}

func (j *judge) distinctEntries(jobs []declaring, total int) (n int) {
	var seen unitSet
	seen.reset(total)
	for i := range jobs {
		for _, u := range jobs[i].entries {
			if seen.add(j.hashes[u], u, func(a, b int32) bool {
				x, y := &j.units[a], &j.units[b]
				return x.arch == y.arch && x.kernel.Name == y.kernel.Name
			}) {
				n++
			}
		}
	}
	return n
}

// counted is a counter that is done.
func counted(n int) *counter {
	c := &counter{done: make(chan struct{}), n: n}
	close(c.done)
	return c
}

// entries is the number of judged kernels as Policy.ExpectKernels counts them.
func (j *judge) entries() int {
	<-j.entered.done
	return j.entered.n
}

// unitSet is a set of units by what they have alike. A slot holds half of a
// hash and the unit's index and one; 0 is empty.
type unitSet struct{ slots []uint64 }

// reset empties the set and makes room for n.
func (s *unitSet) reset(n int) {
	size := 64
	for size < n+n/2 {
		size *= 2
	}
	if size > cap(s.slots) {
		s.slots = make([]uint64, size)
		return
	}
	s.slots = s.slots[:size]
	clear(s.slots)
}

// add reports whether the set has nothing that is the same as unit, and adds
// it then. There must be room.
func (s *unitSet) add(hash uint64, unit int32, same func(a, b int32) bool) (added bool) {
	mask := uint64(len(s.slots) - 1)
	half := hash &^ (1<<32 - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		switch slot := s.slots[i]; {
		case slot == 0:
			s.slots[i] = half | uint64(uint32(unit)+1)
			return true
		case slot&^(1<<32-1) == half && same(int32(uint32(slot)-1), unit):
			return false
		}
	}
}

// distinct reports that no kernel stands twice in a compilation: then none can
// contradict another.
func (j *judge) distinct() bool {
	var s unitSet
	ended := make([]bool, len(j.log.Compilations))
	for from := 0; from < len(j.units); {
		c := j.units[from].record.Compilation
		if c < 0 || c >= len(ended) || ended[c] {
			// Several jobs ran together. A set of all is slower.
			s = unitSet{}
			return j.allDistinct(&s, 0, len(j.units))
		}
		ended[c] = true
		to := from + 1
		for to < len(j.units) && j.units[to].record.Compilation == c {
			to++
		}
		if !j.allDistinct(&s, from, to) {
			return false
		}
		from = to
	}
	return true
}

// allDistinct compares the units of a range, in a set that is used again.
func (j *judge) allDistinct(s *unitSet, from, to int) bool {
	if to-from < 2 {
		return true
	}
	s.reset(to - from)
	for i := from; i < to; i++ {
		u := &j.units[i]
		if u.isFunction() && u.kernel.Parent == "" {
			continue
		}
		hash := j.hashes[i] + uint64(u.record.Compilation)*0x9E3779B97F4A7C15
		if u.kernel.Parent != "" {
			hash += 3 * maphash.String(j.seed, u.kernel.Parent)
		}
		if !s.add(hash, int32(i), j.sameRecord) {
			return false
		}
	}
	return true
}

func (j *judge) sameRecord(a, b int32) bool {
	x, y := &j.units[a], &j.units[b]
	return x.record.Compilation == y.record.Compilation && x.arch == y.arch &&
		x.kernel.Name == y.kernel.Name && x.kernel.Parent == y.kernel.Parent
}
