package rules

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/occlint/occlint/internal/share"
)

// matchSets numbers the sets of declarations that match a name. A log has
// few: most names match the defaults alone.
type matchSets struct {
	mu     sync.Mutex
	list   [][]int // indexes of declarations, ascending
	number map[string]int32
}

// add returns the number of a set, given with its key.
func (m *matchSets) add(set []int, key []byte) int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, known := m.number[string(key)]
	if !known {
		n = int32(len(m.list))
		m.list = append(m.list, append([]int(nil), set...))
		if m.number == nil {
			m.number = map[string]int32{}
		}
		m.number[string(key)] = n
	}
	return n
}

// matchNames finds what is declared for each name. The processors share it.
func (s *sieve) matchNames() {
	share.Do(len(s.names), share.Parts(len(s.names), worthSharing), func(_, from, to int) {
		s.matchRange(s.declared.patterns.fork(), from, to)
	})
}

func (s *sieve) matchRange(patterns *matcher, from, to int) {
	known := map[string]int32{}
	var set, last []int
	var key []byte
	number := int32(-1) // of last
	for i := from; i < to; i++ {
		set = patterns.match(s.packed.Name(i), set[:0])
		if number >= 0 && slices.Equal(set, last) { // as nearly always
			s.names[i].set = number
			continue
		}
		key = key[:0]
		for _, d := range set {
			key = binary.AppendUvarint(key, uint64(d))
		}
		n, ok := known[string(key)]
		if !ok {
			n = s.sets.add(set, key)
			known[string(key)] = n
		}
		s.names[i].set, number = n, n
		last = append(last[:0], set...)
	}
}
