package name

// sieve finds which patterns may match a name by the needles in it.
type sieve struct {
	patterns []int // all but those of slow
	slow     []int // that have none: they may match any name

	needles []string
	owners  []owner // by needle
	index   map[string]int
	finder  *finder
}

// owner says what it means that a needle occurs in a name.
type owner struct {
	patterns []int // they may match
	hits
}

// hits is what the needles in a name say of all of it.
type hits struct {
	hasID   bool // the name has an id of internal linkage: look into its canonical form too
	special bool // any pattern may match, see needle.go
}

// addSpecial adds a pattern that only special names need be compared with.
func (s *sieve) addSpecial(pattern int) { s.patterns = append(s.patterns, pattern) }

// add adds a pattern with its needle in names of one kind; empty for none.
func (s *sieve) add(needle string, pattern int) {
	if needle == "" {
		s.slow = append(s.slow, pattern)
		return
	}
	s.patterns = append(s.patterns, pattern)
	o := s.owner(needle)
	o.patterns = append(o.patterns, pattern)
}

func (s *sieve) owner(needle string) *owner {
	if s.index == nil {
		s.index = make(map[string]int)
	}
	i, ok := s.index[needle]
	if !ok {
		i = len(s.needles)
		s.index[needle] = i
		s.needles, s.owners = append(s.needles, needle), append(s.owners, owner{})
	}
	return &s.owners[i]
}

// finish adds the marks of ids and makes the finder.
func (s *sieve) finish() {
	s.owner(markAnonymous).hasID = true
	s.owner(markInternal).hasID = true
	s.owner(markStatic).hits = hits{hasID: true, special: true}
	s.finder = newFinder(s.needles)
}

// candidates appends the patterns that may match a name; those of several
// needles can come more than once. all says that every pattern is there.
func (s *sieve) candidates(c *candidate, dst []int) (found []int, all bool) {
	dst = append(dst, s.slow...)
	slow := len(dst)
	dst, h := s.find(c.mangled, dst)
	if !h.hasID {
		c.stable, c.hasStable = stripClangID(c.mangled), true
	} else if stable := c.canonical(); stable != c.mangled {
		var also hits
		dst, also = s.find(stable, dst)
		h.special = h.special || also.special
	}
	if h.special || isRust(c.mangled) {
		return append(dst[:slow], s.patterns...), true
	}
	return dst, false
}

// find appends the patterns whose needles occur in a text.
func (s *sieve) find(text string, dst []int) ([]int, hits) {
	h := hits{special: showsOther(text)}
	from := len(dst)
	dst = s.finder.find(text, dst)
	found := len(dst) - from
	for i := range found {
		o := &s.owners[dst[from+i]]
		h.hasID, h.special = h.hasID || o.hasID, h.special || o.special
		dst = append(dst, o.patterns...)
	}
	return append(dst[:from], dst[from+found:]...), h
}
