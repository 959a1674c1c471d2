package name

import (
	"slices"
	"strconv"
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

	find   *finder
	owners []owner // by needle of find
}

// owner says what it means that a needle occurs in a name.
type owner struct {
	patterns []int // they may match
	in       names // in these names
	hasID    bool  // the name has an id of internal linkage: look into its canonical form too
	special  bool  // any pattern may match, see needle.go
}

// names is a set of kinds of name.
type names uint8

const (
	plainNames   names = 1 << iota // as C has them
	mangledNames                   // _Z…
)

// NewSet returns a Set over patterns. Match names them by their index.
func NewSet(patterns []*Pattern) *Set {
	s := &Set{patterns: patterns, exact: make(map[string][]int)}
	table := needleTable{set: s, index: make(map[string]int)}
	for i, p := range patterns {
		if key, ok := p.mangledName(); ok {
			s.exact[key] = append(s.exact[key], i)
			continue
		}
		switch n := p.needle; {
		case p.re == nil && p.raw.everything():
			s.all = append(s.all, i)
		case n.text == "":
			s.slow = append(s.slow, i)
		case n.whole:
			table.add(strconv.Itoa(len(n.text))+n.text, mangledNames, i)
			table.add(n.text, plainNames, i)
		default:
			table.add(n.text, plainNames|mangledNames, i)
		}
	}
	for _, mark := range []string{markAnonymous, markInternal} {
		table.mark(mark, owner{hasID: true})
	}
	table.mark(markStatic, owner{hasID: true, special: true})
	s.find = newFinder(table.needles)
	return s
}

// needleTable collects needles while a Set is made.
type needleTable struct {
	set     *Set
	needles []string
	index   map[string]int // by kind of name and needle
}

func (t *needleTable) add(text string, in names, pattern int) {
	key := string(rune(in)) + text
	n, ok := t.index[key]
	if !ok {
		n = t.mark(text, owner{in: in})
		t.index[key] = n
	}
	t.set.owners[n].patterns = append(t.set.owners[n].patterns, pattern)
}

func (t *needleTable) mark(text string, o owner) int {
	t.needles = append(t.needles, text)
	t.set.owners = append(t.set.owners, o)
	return len(t.needles) - 1
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
	h := hits{kind: plainNames}
	if strings.HasPrefix(mangled, "_Z") {
		h.kind = mangledNames
	}
	s.look(mangled, &h)
	if !h.hasID {
		c.stable, c.hasStable = stripClangID(mangled), true
	} else if stable := c.canonical(); stable != mangled {
		s.look(stable, &h)
	}
	dst = append(dst, s.all...)
	if len(s.exact) > 0 {
		dst = append(dst, s.exact[c.canonical()]...)
	}
	if h.special || isRust(mangled) {
		dst = s.checkAll(&c, dst)
	} else {
		for _, n := range h.needles {
			dst = s.check(&c, s.owners[n].patterns, dst)
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

// checkAll asks each pattern that has a needle.
func (s *Set) checkAll(c *candidate, dst []int) []int {
	for i := range s.owners {
		// A pattern of two needles is asked by the one for plain names.
		if o := &s.owners[i]; o.in&plainNames != 0 {
			dst = s.check(c, o.patterns, dst)
		}
	}
	return dst
}

// hits is what a pass over a name finds.
type hits struct {
	kind    names
	needles []int // distinct ones of patterns
	special bool
	hasID   bool
}

func (s *Set) look(text string, h *hits) {
	seen := s.find.find(text, func(n int) {
		o := &s.owners[n]
		h.special = h.special || o.special
		h.hasID = h.hasID || o.hasID
		if o.in&h.kind != 0 && !slices.Contains(h.needles, n) {
			h.needles = append(h.needles, n)
		}
	})
	if seen&hasOdd != 0 || len(text) > 2 && isSpecial(text[1:3]) {
		h.special = true
	}
	if seen&hasZ != 0 && (strings.Contains(text, "ZT") || strings.Contains(text, "ZG")) {
		h.special = true
	}
}

// isSpecial reports the code of tables, thunks, guards and the like: _ZTV…
func isSpecial(code string) bool { return code == "ZT" || code == "ZG" }
