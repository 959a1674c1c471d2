package rules

import (
	"slices"

	"github.com/occlint/occlint/parse"
)

// Sift holds a packed log against a policy. It finds what Judge finds, and
// Result.Kernels has only the kernels that may matter for that. Of the others,
// which are most of a large log, it is known that no rule has anything to say:
// they are counted and never listed, so a verdict takes little more room and
// time than the log does.
func Sift(p *parse.Packed, policy *Policy) (*Result, error) {
	j, exceptions, err := newJudge(&parse.Log{Compilations: p.Compilations, Remarks: p.Remarks, Faults: p.Faults}, policy)
	if err != nil {
		return nil, err
	}
	s := sieve{judge: j, packed: p}
	if !s.worthwhile() {
		return Judge(p.Log(), policy)
	}
	if s.sift(); s.clean == 0 {
		return Judge(p.Log(), policy)
	}
	j.sifted = &s
	return j.verdict(exceptions), nil
}

// sieve takes the kernels out of a log that no rule has anything to say of.
//
// A plain record's verdict rests on its class and on what is declared for its
// name and architecture, so each pair of these is judged once. Others of the
// log can play a part only through remarks and callees that name the kernel,
// and through the linker: kernels that are named are kept, and a log with the
// linker's records is not sifted. TestSift and FuzzSift hold it against Judge.
type sieve struct {
	*judge
	packed *parse.Packed

	own, functions []int // records that are not plain, and plain functions

	names    []siftedName // of plain records, by number
	sets     matchSets
	archOf   []*archInfo // of classes
	verdicts map[pair]*verdict
	recent   [1 << 10]*verdict // of verdicts
	asked    []*Rule

	clean   int // kernels that were taken out, and are judged
	entries int // of the whole log, as Result.Entries counts them
	further map[nameOn]bool
}

// siftedName is what is known of a name.
type siftedName struct {
	set   int32 // of the declarations that match it
	entry int32 // the number of the first architecture that has it as an entry
	kept  bool  // something else in the log names it
}

// nameOn is an entry on another architecture than the first of its name, or
// one whose name no plain record has.
type nameOn struct {
	name string
	arch *archInfo
}

// worthwhile reports whether the log can be sifted: most of its records are
// plain, and it has nothing for which a rule would have to look at all kernels.
func (s *sieve) worthwhile() bool {
	if len(s.remarks.global) > 0 || s.packed.Classes() == 0 || len(s.policy.Archs) > 0 && s.recordFaults() {
		return false
	}
	look := newSurveyor(len(s.packed.Compilations))
	for i := range s.packed.Len() {
		_, class, plain := s.packed.Plain(i)
		if !plain {
			s.own = append(s.own, i)
			look.look(s.packed.Own(i), s.packed.Compilation(i))
			continue
		}
		k := s.packed.Class(class)
		if k.Kind == parse.Function {
			s.functions = append(s.functions, i)
		}
		look.look(k, s.packed.Compilation(i))
	}
	found := look.result()
	return !found.linked && !found.listed && !found.apart && len(s.own) <= s.packed.Len()/2
}

// recordFaults reports a fault of a record. Where not all architectures are
// judged, it counts if a judged record stands at its place, plain or not.
func (s *sieve) recordFaults() bool {
	return slices.ContainsFunc(s.packed.Faults, func(f parse.Fault) bool { return f.Kernel != "" })
}

// sift leaves the log with the kernels that may matter, and counts the others.
func (s *sieve) sift() {
	s.prepareSift()
	keep := make([]bool, s.packed.Len())
	// What is kept can keep others: records that are not plain those of their
	// name, and functions their kernels.
	for _, i := range s.own {
		s.keepOwn(s.packed.Own(i))
		keep[i] = true
	}
	for _, i := range s.functions {
		name, class, _ := s.packed.Plain(i)
		keep[i] = s.keepFunction(i, name, class)
	}
	number := 0
	for i := range keep {
		if name, class, plain := s.packed.Plain(i); plain && s.packed.Class(class).Kind == parse.Entry {
			keep[i] = s.keepEntry(i, name, class)
		}
		if keep[i] {
			number++
		}
	}
	s.log.Kernels = make([]parse.Kernel, 0, number)
	for i := range keep {
		if keep[i] {
			s.log.Kernels = append(s.log.Kernels, s.packed.Kernel(i))
		}
	}
}

func (s *sieve) prepareSift() {
	s.needs = needs()
	s.untied = &ties{none: true}
	s.asked = s.askedRules()
	s.verdicts, s.further = map[pair]*verdict{}, map[nameOn]bool{}
	s.archOf = make([]*archInfo, s.packed.Classes())
	for c := range s.archOf {
		s.archOf[c] = s.arch(s.packed.Class(c).Arch)
	}
	s.names = make([]siftedName, s.packed.Names())
	s.matchNames()
	for key := range s.remarks.byName {
		s.keepName(key.kernel)
	}
}

// keepName keeps the plain records of a name.
func (s *sieve) keepName(name string) {
	if number, ok := s.packed.FindName(name); ok && name != "" {
		s.names[number].kept = true
	}
}

// keepOwn keeps what a record that is not plain could contradict, and counts
// it.
func (s *sieve) keepOwn(k *parse.Kernel) {
	a := s.arch(k.Arch)
	s.keepName(k.Name)
	switch {
	case k.Kind == parse.Function:
		s.keepName(k.Parent)
	case k.Name == "" || !a.judged:
	default:
		if number, ok := s.packed.FindName(k.Name); ok {
			s.enter(number, a)
		} else if on := (nameOn{k.Name, a}); !s.further[on] {
			s.further[on] = true
			s.entries++
		}
	}
}

// keepFunction reports whether a plain function may matter, and counts it. One
// that spills matters to its kernel too, and is never clean.
func (s *sieve) keepFunction(i, name, class int) bool {
	if s.judgeRecord(i, name, class) {
		return false
	}
	if a := s.archOf[class]; !a.judged {
		return false
	}
	if parent := s.packed.Parent(i); parent >= 0 {
		s.names[parent].kept = true
	}
	return true
}

// keepEntry does the same for a plain entry.
func (s *sieve) keepEntry(i, name, class int) bool {
	if a := s.archOf[class]; a.judged {
		s.enter(name, a)
	}
	return !s.judgeRecord(i, name, class) && s.archOf[class].judged
}

// judgeRecord reports whether no rule has anything to say of a plain record,
// and counts it then. One that is not judged is counted too.
func (s *sieve) judgeRecord(i, name, class int) bool {
	a := s.archOf[class]
	a.inLog = true
	v := s.verdict(i, pair{int32(class), s.names[name].set})
	switch {
	case !a.judged:
		s.notJudged++
		return false
	case s.names[name].kept || !v.clean:
		return false
	}
	a.units++
	s.clean++
	return true
}

// enter counts an entry, if it is the first of its name and architecture.
func (s *sieve) enter(name int, a *archInfo) {
	switch n := &s.names[name]; {
	case n.entry == 0:
		n.entry = a.number
		s.entries++
	case n.entry != a.number:
		if on := (nameOn{s.packed.Name(name), a}); !s.further[on] {
			s.further[on] = true
			s.entries++
		}
	}
}

// allNames lists the names of all judged kernels and functions in the order of
// the log.
func (s *sieve) allNames(yield func(string) bool) {
	for i := range s.packed.Len() {
		var name string
		var a *archInfo
		if number, class, plain := s.packed.Plain(i); plain {
			name, a = s.packed.Name(number), s.archOf[class]
		} else {
			k := s.packed.Own(i)
			name, a = k.Name, s.arch(k.Arch)
		}
		if name != "" && a.judged && !yield(name) {
			return
		}
	}
}
