package judge

import (
	"slices"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/profile"
)

// Joined says by which spelling of the name a launch found its record.
type Joined string

// The ways, from the surest down. NotJoined is also what a launch is whose
// name fits several records that nothing tells apart.
const (
	NotJoined  Joined = ""
	ByMangled  Joined = "mangled"
	ByTemplate Joined = "template"
	ByFunction Joined = "function"
)

// index finds records by name.
type index struct {
	records    []Record
	given      int // how many of the records stand beside the reports, the first ones
	mangled    map[string][]int32
	full       map[string][]int32 // by qualified name with arguments; built when first asked
	last       map[string][]int32 // the same without namespaces
	function   map[string][]int32
	parameters [][]string
}

func newIndex(records []Record) *index {
	x := &index{mangled: make(map[string][]int32, len(records))}
	x.add(records)
	x.given = len(records)
	return x
}

// add takes further records.
func (x *index) add(records []Record) {
	for i := range records {
		key := name.Canonical(records[i].Name)
		x.mangled[key] = append(x.mangled[key], int32(len(x.records)+i))
	}
	x.records = append(x.records, records...)
}

// isGiven reports a record of this name that stands beside the reports.
func (x *index) isGiven(mangled string) bool {
	list := x.mangled[name.Canonical(mangled)]
	return len(list) > 0 && int(list[0]) < x.given
}

// hasSame reports a record with the same numbers, from whatever file.
func (x *index) hasSame(r *Record) bool {
	of := *r
	for _, i := range x.mangled[name.Canonical(r.Name)] {
		if of.File, of.Line = x.records[i].File, x.records[i].Line; of == x.records[i] {
			return true
		}
	}
	return false
}

// spell builds the indexes by demangled names, which cost more than all the
// rest and which a report with mangled names doesn't need.
func (x *index) spell() {
	if x.full == nil {
		x.full, x.last, x.function = map[string][]int32{}, map[string][]int32{}, map[string][]int32{}
	}
	for i := len(x.parameters); i < len(x.records); i++ {
		s := spellMangled(x.records[i].Name)
		x.full[s.full] = append(x.full[s.full], int32(i))
		last := lastPart(s.full)
		x.last[last] = append(x.last[last], int32(i))
		x.function[s.function] = append(x.function[s.function], int32(i))
		x.parameters = append(x.parameters, s.parameters)
	}
}

// match is what a launch found.
type match struct {
	joined Joined
	record *Record
	// stale is a record of this name whose numbers are others', where there is
	// no record with the launch's.
	stale *Record
	// several is how many records fit equally well.
	several int
}

// find joins a launch.
func (x *index) find(l *profile.Launch, table *arch.Table) match {
	if len(x.records) == 0 {
		return match{}
	}
	// A function's name alone counts as a mangled one only where a kernel has
	// C linkage.
	if l.Names.Mangled != "" {
		if list := x.mangled[name.Canonical(l.Names.Mangled)]; len(list) > 0 {
			return x.choose(list, l, table, ByMangled, nil)
		}
		if l.Names.Demangled != "" || l.Names.Function == "" {
			return match{} // the name is exact and no record has it
		}
	}
	x.spell()
	if l.Names.Demangled != "" {
		s := spell(l.Names.Demangled)
		if list := x.full[s.full]; len(list) > 0 {
			return x.choose(list, l, table, ByTemplate, s.parameters)
		}
		if lastPart(s.full) == s.full { // no namespace: there is none, or the tool left it out
			if list := x.last[s.full]; len(list) > 0 {
				return x.choose(list, l, table, ByTemplate, s.parameters)
			}
		}
		return match{}
	}
	if list := x.function[l.Names.Function]; len(list) > 0 {
		return x.choose(list, l, table, ByFunction, nil)
	}
	return match{}
}

// choose takes the record whose numbers are the launch's.
func (x *index) choose(list []int32, l *profile.Launch, table *arch.Table, how Joined, parameters []string) match {
	registers, static := intOf(&l.Values, profile.RegistersPerThread), intOf(&l.Values, profile.StaticSharedBytes)
	var fits, others []int32
	for _, i := range x.runnable(list, l.Arch, table) {
		r := &x.records[i]
		if r.agrees(registers, static) {
			fits = append(fits, i)
		} else {
			others = append(others, i)
		}
	}
	if len(fits) > 1 && parameters != nil {
		if same := slices.DeleteFunc(slices.Clone(fits), func(i int32) bool { return !fit(x.parameters[i], parameters) }); len(same) > 0 {
			fits = same
		}
	}
	switch {
	case len(fits) == 0 && len(others) > 0:
		return match{stale: &x.records[others[0]]}
	case len(fits) == 0:
		return match{}
	case len(fits) > 1 && !x.equal(fits):
		return match{several: len(fits)}
	}
	return match{joined: how, record: &x.records[fits[0]]}
}

// runnable picks the records of the device's architecture, or, where there is
// none, of an older one of the same major version, whose code it runs as it is.
func (x *index) runnable(list []int32, device string, table *arch.Table) []int32 {
	if device == "" {
		return list
	}
	var same, older []int32
	for _, i := range list {
		sm, err := table.Lookup(x.records[i].Arch)
		switch {
		case err != nil:
		case sm.Name == arch.Base(device):
			same = append(same, i)
		case len(sm.Name) == len(device) && sm.Name[:len(sm.Name)-1] == device[:len(device)-1] && sm.Name < device:
			older = append(older, i)
		}
	}
	if len(same) > 0 {
		return same
	}
	return older
}

// equal reports that records say the same of the same kernel: a log and a
// binary of one build, or sm_90 and sm_90a with the same numbers.
func (x *index) equal(list []int32) bool {
	first := &x.records[list[0]]
	for _, i := range list[1:] {
		r := &x.records[i]
		if name.Canonical(r.Name) != name.Canonical(first.Name) || r.Registers != first.Registers || r.SharedBytes != first.SharedBytes ||
			max(r.SpillStoreBytes, 0) != max(first.SpillStoreBytes, 0) || max(r.SpillLoadBytes, 0) != max(first.SpillLoadBytes, 0) {
			return false
		}
	}
	return true
}

// intOf is a number of a launch as a whole one; arch.Unknown where it has none.
func intOf(v *profile.Values, m profile.Metric) int {
	x, ok := v.Of(m)
	if !ok || x < 0 || x > 1<<40 {
		return arch.Unknown
	}
	return int(x + 0.5)
}
