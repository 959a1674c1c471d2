package rules

import "github.com/occlint/occlint/parse"

// pair is what a verdict rests on.
type pair struct{ class, set int32 }

type verdict struct {
	pair
	clean bool
}

// verdict judges a pair, if it was not judged before. i is a record of it.
func (s *sieve) verdict(i int, p pair) *verdict {
	slot := &s.recent[(uint32(p.class)+uint32(p.set)*31)%uint32(len(s.recent))]
	if v := *slot; v != nil && v.pair == p {
		return v
	}
	v := s.verdicts[p]
	if v == nil {
		v = &verdict{pair: p, clean: s.judgePair(i, p)}
		s.verdicts[p] = v
	}
	*slot = v
	return v
}

// judgePair reports whether no rule has anything to say of a record that has
// nothing to do with others.
func (s *sieve) judgePair(i int, p pair) bool {
	a := s.archOf[p.class]
	decl := s.declared.merge(s.sets.list[p.set], a)
	if !a.judged || a.sm == nil {
		return false // the rules for unknown architectures list their kernels
	}
	k := s.packed.Kernel(i)
	if k.Kind == parse.Function && (k.StackBytes.Or(1) > 0 || k.SpillStoreBytes.Or(1) > 0 || k.SpillLoadBytes.Or(1) > 0) {
		return false // its kernel has a part in the verdict
	}
	u := unit{kernel: &k, record: &k, arch: a, decl: decl, ties: s.untied}
	_, ok := classOf(&u)
	return ok && s.nothingToSay(&u)
}

// nothingToSay asks the rules.
func (s *sieve) nothingToSay(u *unit) bool {
	u.measure(s.needs)
	if u.unmet != 0 {
		return false
	}
	s.findings = nil
	for _, r := range s.asked {
		if r.kernel != nil {
			s.rule = r
			r.kernel(s.judge, u)
		}
	}
	nothing := len(s.findings) == 0
	s.findings = nil
	return nothing
}
