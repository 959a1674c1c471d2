package name

import (
	"slices"
	"strings"
)

// Set matches a name against many patterns at once. Most names of a large log
// match none of a config's patterns; Set finds that out by one pass over the
// mangled name, without demangling it. A Set is safe for concurrent use.
type Set struct {
	patterns []*Pattern

	exact map[string][]int // patterns that are mangled names, by canonical name
	all   []int            // patterns that match every name
	slow  []int            // patterns without a needle

	scan   *automaton
	owners [][]int // by needle: the patterns that it belongs to
	marks  int32   // needles from this index on are marks, see markNeedles
}

// markNeedles are texts that make a name special. After the first three the
// needles may be in the canonical name only; the last two say that
// demangling can write words that are no identifiers.
var markNeedles = [...]string{markAnonymous, markInternal, markStatic, "ZT", "ZG"}

const idMarks = 3

// NewSet returns a Set over patterns. Match names them by their index.
func NewSet(patterns []*Pattern) *Set {
	s := &Set{patterns: patterns, exact: make(map[string][]int)}
	var needles []string
	byNeedle := make(map[string]int)
	for i, p := range patterns {
		if key, ok := p.mangledName(); ok {
			s.exact[key] = append(s.exact[key], i)
			continue
		}
		switch {
		case p.re == nil && p.raw.everything():
			s.all = append(s.all, i)
		case p.needle == "":
			s.slow = append(s.slow, i)
		default:
			n, ok := byNeedle[p.needle]
			if !ok {
				n = len(needles)
				byNeedle[p.needle] = n
				needles = append(needles, p.needle)
				s.owners = append(s.owners, nil)
			}
			s.owners[n] = append(s.owners[n], i)
		}
	}
	s.marks = int32(len(needles))
	s.scan = newAutomaton(append(needles, markNeedles[:]...))
	return s
}

// mangledName returns the canonical name of a pattern that is one mangled
// name. A qualified name never looks like that unless it is the mangled one.
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
	found := s.needlesIn(&c)
	dst = append(dst, s.all...)
	if len(s.exact) > 0 {
		dst = append(dst, s.exact[c.canonical()]...)
	}
	switch {
	case found.special || isRust(innerStatic(mangled)):
		for _, owners := range s.owners {
			dst = s.check(&c, owners, dst)
		}
	default:
		for _, n := range found.needles {
			dst = s.check(&c, s.owners[n], dst)
		}
	}
	dst = s.check(&c, s.slow, dst)
	slices.Sort(dst[from:])
	return dst
}

func (s *Set) check(c *candidate, patterns, dst []int) []int {
	for _, i := range patterns {
		if s.patterns[i].matchName(c) {
			dst = append(dst, i)
		}
	}
	return dst
}

// hits is what a pass over a name finds.
type hits struct {
	needles []int32 // distinct
	special bool    // the name may show words that it does not hold
	hasID   bool    // the name has an id of internal linkage
}

func (s *Set) needlesIn(c *candidate) hits {
	var h hits
	s.look(c.mangled, &h)
	if !h.hasID {
		c.stable, c.hasStable = stripClangID(c.mangled), true
	} else if stable := c.canonical(); stable != c.mangled {
		s.look(stable, &h)
	}
	return h
}

func (s *Set) look(text string, h *hits) {
	s.scan.scan(text, func(id int32) {
		switch {
		case id >= s.marks+idMarks:
			h.special = true
		case id >= s.marks:
			h.hasID = true
		case !slices.Contains(h.needles, id):
			h.needles = append(h.needles, id)
		}
	})
}
