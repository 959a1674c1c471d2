package name

import "strings"

// startTable finds the patterns whose start fits a first identifier.
type startTable struct {
	heads [1 << startBits]int32 // by two letters: index + 1 of the first, 0 for none
	list  []startEntry
	short []int32 // starts of one letter, which any second letter fits

	unnamed startEntry // for names in an unnamed namespace
}

const startBits = 10

// startEntry is a start with the patterns that have it.
type startEntry struct {
	start
	patterns []int
	exact    bool // a pattern that is a mangled name begins so
	// more says that a pattern has a needle further on in the name, so that
	// looking for it can save demangling.
	more bool
	next int32
}

// startHash mixes the first two bytes of a text.
func startHash(text string) uint32 {
	v := uint32(text[0])
	if len(text) > 1 {
		v |= uint32(text[1]) << 8
	}
	return v * 0x9E3779B1 >> (32 - startBits)
}

// entry returns the entry for a start with a word, which it makes if there is none.
func (t *startTable) entry(s start) *startEntry {
	h := startHash(s.word)
	for n := t.heads[h]; n != 0; n = t.list[n-1].next {
		if e := &t.list[n-1]; e.start == s {
			return e
		}
	}
	t.list = append(t.list, startEntry{start: s, next: t.heads[h]})
	t.heads[h] = int32(len(t.list))
	if len(s.word) == 1 && !s.whole {
		t.short = append(t.short, t.heads[h]-1)
	}
	return &t.list[len(t.list)-1]
}

func (t *startTable) add(p *Pattern, number int) {
	e := &t.unnamed
	if p.start.word != "" {
		e = t.entry(p.start)
	}
	e.patterns = append(e.patterns, number)
	if !strings.Contains(p.start.word, p.needle.text) {
		e.more = true
	}
}

// find appends the patterns that may match a name with this first identifier.
func (t *startTable) find(id string, dst []int) (found []int, exact, more bool) {
	if id == anonymous {
		return append(dst, t.unnamed.patterns...), t.unnamed.exact, t.unnamed.more
	}
	take := func(e *startEntry) {
		if e.fits(id) {
			dst = append(dst, e.patterns...)
			exact, more = exact || e.exact, more || e.more
		}
	}
	for n := t.heads[startHash(id)]; n != 0; n = t.list[n-1].next {
		take(&t.list[n-1])
	}
	if len(id) > 1 { // a single letter has led to them already
		for _, n := range t.short {
			take(&t.list[n])
		}
	}
	return dst, exact, more
}
