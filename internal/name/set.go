package name

import (
	"slices"
	"strconv"
	"strings"
)

// Set matches a name against many patterns at once. Most names of a large log
// match none of a config's patterns; Set finds that out without demangling
// them, by their first identifier where all patterns say how a name begins,
// and else by one pass over the mangled name. A Set is safe for concurrent use.
type Set struct {
	patterns []*Pattern
	all      []int // patterns that match every name

	exact      map[string][]int // patterns that are mangled names, by canonical name
	exactSizes sizes            // of those names: hashing a long one costs more than the rest

	starts  startTable
	started bool  // all patterns are in starts; else it saves nothing
	plain   sieve // for names as C has them
	mangled sieve // for names with "_Z"
}

// NewSet returns a Set over patterns. Match names them by their index.
func NewSet(patterns []*Pattern) *Set {
	s := &Set{patterns: patterns, exact: make(map[string][]int), started: true}
	for i, p := range patterns {
		if key, ok := p.mangledName(); ok {
			s.addExact(key, i)
			continue
		}
		if p.re == nil && p.raw.everything() {
			s.all = append(s.all, i)
			continue
		}
		s.plain.add(p.needle.text, i)
		needle := p.needle.text
		if p.needle.whole {
			needle = strconv.Itoa(len(needle)) + needle
		}
		s.mangled.add(needle, i)
		if p.hasStart {
			s.starts.add(p, i)
		} else {
			s.started = false
		}
	}
	s.plain.finish()
	s.mangled.finish()
	return s
}

// addExact adds a pattern that is a mangled name, of which key is the
// canonical form. Names that have the same one begin with the same identifier.
func (s *Set) addExact(key string, pattern int) {
	s.exact[key] = append(s.exact[key], pattern)
	s.exactSizes.add(len(key))
	// An identifier can look like a mangled name: _Z8_Z5saxpyv.
	s.plain.addSpecial(pattern)
	s.mangled.addSpecial(pattern)
	switch id, ok := firstIdentifier(key); {
	case !ok:
		s.started = false
	case id == anonymous:
		s.starts.unnamed.exact = true
	default:
		s.starts.entry(start{id, true}).exact = true
	}
}

// mangledName returns the canonical name of a pattern that is one mangled name.
func (p *Pattern) mangledName() (key string, ok bool) {
	if p.re != nil {
		return "", false
	}
	key, ok = p.raw.exact()
	if !ok || !strings.HasPrefix(key, "_Z") || strings.ContainsAny(key, " \t(<:") {
		return "", false
	}
	return key, true
}

// Len returns the number of patterns.
func (s *Set) Len() int { return len(s.patterns) }

// Match appends to dst the indexes of the patterns that match a mangled name,
// in ascending order.
func (s *Set) Match(mangled string, dst []int) []int {
	from := len(dst)
	c := candidate{mangled: mangled}
	if s.started && c.firstIdentifier() != "" {
		var exact, more bool
		dst, exact, more = s.starts.find(c.first, dst)
		if !more {
			return s.settle(&c, dst, from, exact)
		}
		dst = dst[:from]
	}
	sieve := &s.plain
	if strings.HasPrefix(mangled, "_Z") {
		sieve = &s.mangled
	}
	dst, all := sieve.candidates(&c, dst)
	return s.settle(&c, dst, from, len(s.exact) > 0 && !all)
}

// settle keeps those patterns of dst[from:] that do match, and adds those
// that need no more than a look at the name.
func (s *Set) settle(c *candidate, dst []int, from int, exact bool) []int {
	kept := dst[:from]
	candidates := dst[from:]
	if len(candidates) > 1 {
		slices.Sort(candidates)
		candidates = slices.Compact(candidates)
	}
	for _, i := range candidates {
		if s.patterns[i].matchName(c) {
			kept = append(kept, i)
		}
	}
	matched := len(kept)
	kept = append(kept, s.all...)
	if exact {
		if key := c.canonical(); s.exactSizes.has(len(key)) {
			kept = append(kept, s.exact[key]...)
		}
	}
	if len(kept) > matched {
		slices.Sort(kept[from:])
	}
	return kept
}

// sizes is a set of sizes modulo 64.
type sizes uint64

func (s *sizes) add(n int)     { *s |= 1 << (n % 64) }
func (s sizes) has(n int) bool { return s&(1<<(n%64)) != 0 }
