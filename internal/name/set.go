package name

import (
	"slices"
	"strconv"
	"strings"
)

// Set matches a name against many patterns at once. Most names of a large log
// match none of a config's patterns; Set finds that out without demangling
// them, by their first identifier for the patterns that say how a name begins,
// and for the others by one pass over the mangled name. A Set is safe for
// concurrent use.
type Set struct {
	patterns []*Pattern
	all      []int // patterns that match every name

	exact      map[string][]int // patterns that are mangled names, by canonical name
	exactSizes sizes            // of those names: hashing a long one costs more than the rest
	looseExact bool             // starts does not know all of them
	exacts     []int            // the same patterns

	starts  startTable
	plain   sieve // all patterns, for names as C has them
	mangled sieve // the same, for names with "_Z"
	loose   sieve // patterns that are not in starts, for names with "_Z"
	closed  bool  // there are none of those
}

// NewSet returns a Set over patterns. Match names them by their index.
func NewSet(patterns []*Pattern) *Set {
	s := &Set{patterns: patterns, exact: make(map[string][]int)}
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
			s.loose.add(needle, i)
		}
	}
	s.plain.finish()
	s.mangled.finish()
	s.loose.finish()
	s.closed = len(s.loose.patterns)+len(s.loose.slow) == 0 && !s.looseExact
	return s
}

// addExact adds a pattern that is a mangled name, of which key is the
// canonical form. Names that have the same one begin with the same identifier.
func (s *Set) addExact(key string, pattern int) {
	s.exact[key] = append(s.exact[key], pattern)
	s.exactSizes.add(len(key))
	s.exacts = append(s.exacts, pattern)
	switch id, ok := firstIdentifier(key); {
	case !ok:
		s.looseExact = true
	case id == anonymous:
		s.starts.unnamed.exact = true
	default:
		s.starts.entry(start{id, true}).exact = true
	}
}

// mangledName returns the canonical name of a pattern that is one mangled
// name. Only an identifier that looks like a mangled name itself is shown as
// such a text.
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
	first, ok := firstIdentifier(mangled)
	var exact, more bool
	if ok {
		dst, exact, more = s.starts.find(first, dst)
		if s.closed && len(dst) == from && !exact {
			return append(dst, s.all...)
		}
	}
	c := candidate{mangled: mangled, first: first, hasFirst: true}
	if ok && !more {
		if !s.closed {
			dst = s.loose.candidates(&c, dst)
		}
		return s.settle(&c, dst, from, exact || s.looseExact)
	}
	dst = dst[:from]
	if strings.HasPrefix(mangled, "_Z") {
		dst = s.mangled.candidates(&c, dst)
	} else {
		dst = s.plain.candidates(&c, dst)
	}
	if !ok && len(s.exacts) > 0 && strings.Contains(c.canonical()[min(len("_Z"), len(c.canonical())):], "_Z") {
		// What is shown may look like a mangled name: _Z8_Z5saxpyv.
		return s.settle(&c, append(dst, s.exacts...), from, false)
	}
	return s.settle(&c, dst, from, len(s.exacts) > 0)
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
