package parse

// A nameSet remembers the names of one compilation by their hash.
type nameSet struct {
	slots      []nameSlot
	used       int
	generation uint32
}

type nameSlot struct {
	hash       uint64
	generation uint32 // slots of earlier compilations count as empty
}

// clear forgets all names, at no cost.
func (s *nameSet) clear() {
	s.generation++
	s.used = 0
	if s.generation == 0 { // after four billion compilations
		clear(s.slots)
		s.generation = 1
	}
}

// add remembers a hash. It returns false when the set has it already.
func (s *nameSet) add(hash uint64) bool {
	if s.used*4 >= len(s.slots)*3 {
		s.grow()
	}
	mask := uint64(len(s.slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		slot := &s.slots[i]
		if slot.generation != s.generation {
			*slot = nameSlot{hash, s.generation}
			s.used++
			return true
		}
		if slot.hash == hash {
			return false
		}
	}
}

func (s *nameSet) grow() {
	old := s.slots
	s.slots = make([]nameSlot, max(64, 2*len(old)))
	if s.generation == 0 {
		s.generation = 1
	}
	mask := uint64(len(s.slots) - 1)
	for _, slot := range old {
		if slot.generation != s.generation {
			continue
		}
		i := slot.hash & mask
		for s.slots[i].generation == s.generation {
			i = (i + 1) & mask
		}
		s.slots[i] = slot
	}
}
