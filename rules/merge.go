package rules

import (
	"encoding/binary"
	"slices"
)

// merged is what all matching declarations together say, and which ones they
// were. Kernels that match the same declarations share one.
type merged struct {
	Declaration
	parts []*Declaration // in the order of the policy
	// unsure says that a declaration for some architectures matches a kernel
	// whose architecture nobody names.
	unsure bool
	id     uint32 // of few; for hashes
}

// declarations finds and merges what is declared for a kernel.
type declarations struct {
	list     []Declaration // the policy's, with origins filled in
	patterns *matcher
	byParts  map[string]*merged
	byCallee map[[2]*merged]*merged
	judged   []bool // matches a kernel that is judged
	seen     []bool // matches a kernel of any architecture
	key      []byte
	ids      uint32
}

func newDeclarations(list []Declaration) (*declarations, error) {
	d := &declarations{
		list:     slices.Clone(list),
		byParts:  map[string]*merged{},
		byCallee: map[[2]*merged]*merged{},
		judged:   make([]bool, len(list)),
		seen:     make([]bool, len(list)),
	}
	targets := make([]target, len(list))
	for i := range d.list {
		d.list[i].fillOrigins()
		targets[i] = target{list[i].Match, list[i].Names}
	}
	var err error
	d.patterns, err = newMatcher("declaration", targets)
	return d, err
}

// merge merges the declarations with the indexes in list, as far as they are
// for the architecture.
func (d *declarations) merge(list []int, a *archInfo) *merged {
	d.key = d.key[:0]
	unsure := false
	for _, i := range list {
		d.seen[i] = true
		if !a.among(d.list[i].Archs) {
			unsure = unsure || a.name == ""
			continue
		}
		d.judged[i] = d.judged[i] || a.judged
		d.key = binary.AppendUvarint(d.key, uint64(i))
	}
	parts := len(d.key)
	if unsure {
		d.key = append(d.key, 0x80) // no number ends like this
	}
	if m := d.byParts[string(d.key)]; m != nil {
		return m
	}
	d.ids++
	m := &merged{unsure: unsure, id: d.ids}
	for key := d.key[:parts]; len(key) > 0; {
		i, n := binary.Uvarint(key)
		key = key[n:]
		m.parts = append(m.parts, &d.list[i])
		m.over(&d.list[i])
	}
	d.byParts[string(d.key)] = m
	return m
}

// callee merges the spill budgets of a function with those of the kernel that
// it was compiled for: what names the function itself counts, then what names
// the kernel, then the defaults.
func (d *declarations) callee(function, kernel *merged) *merged {
	key := [2]*merged{function, kernel}
	if m := d.byCallee[key]; m != nil {
		return m
	}
	d.ids++
	m := &merged{Declaration: function.Declaration, parts: function.parts, id: d.ids}
	inherit(&m.SpillStoreBytes, kernel.SpillStoreBytes)
	inherit(&m.SpillLoadBytes, kernel.SpillLoadBytes)
	inherit(&m.LoopSpillBytes, kernel.LoopSpillBytes)
	inherit(&m.Message, kernel.Message)
	inherit(&m.Source, kernel.Source)
	d.byCallee[key] = m
	return m
}

func inherit[T any](own *Field[T], kernels Field[T]) {
	if kernels.Set && (!own.Set || own.Origin.From == FromDefaults) {
		*own = kernels
	}
}

// over lets every field that src declares win over what d has.
func (d *Declaration) over(src *Declaration) {
	later(&d.LaunchBounds, src.LaunchBounds)
	later(&d.Block, src.Block)
	later(&d.DynamicShared, src.DynamicShared)
	later(&d.MaxRegisters, src.MaxRegisters)
	later(&d.Registers, src.Registers)
	later(&d.SpillStoreBytes, src.SpillStoreBytes)
	later(&d.SpillLoadBytes, src.SpillLoadBytes)
	later(&d.LoopSpillBytes, src.LoopSpillBytes)
	later(&d.StackBytes, src.StackBytes)
	later(&d.SharedBytes, src.SharedBytes)
	later(&d.Barriers, src.Barriers)
	later(&d.MinOccupancy, src.MinOccupancy)
	later(&d.BytesInFlight, src.BytesInFlight)
	later(&d.DynamicSharedUsed, src.DynamicSharedUsed)
	later(&d.PTX, src.PTX)
	later(&d.Unresolved, src.Unresolved)
	later(&d.Launched, src.Launched)
	later(&d.Message, src.Message)
	later(&d.Source, src.Source)
}

func later[T any](dst *Field[T], src Field[T]) {
	if src.Set {
		*dst = src
	}
}

// fillOrigins gives every field the origin of the whole declaration where it
// has none of its own. What a Go program declares without saying where counts
// as its config.
func (d *Declaration) fillOrigins() {
	if d.Origin.From == "" {
		d.Origin.From = FromConfig
		if d.Match == "" {
			d.Origin.From = FromDefaults
		}
	}
	fill(&d.LaunchBounds, d.Origin)
	fill(&d.Block, d.Origin)
	fill(&d.DynamicShared, d.Origin)
	fill(&d.MaxRegisters, d.Origin)
	fill(&d.Registers, d.Origin)
	fill(&d.SpillStoreBytes, d.Origin)
	fill(&d.SpillLoadBytes, d.Origin)
	fill(&d.LoopSpillBytes, d.Origin)
	fill(&d.StackBytes, d.Origin)
	fill(&d.SharedBytes, d.Origin)
	fill(&d.Barriers, d.Origin)
	fill(&d.MinOccupancy, d.Origin)
	fill(&d.BytesInFlight, d.Origin)
	fill(&d.DynamicSharedUsed, d.Origin)
	fill(&d.PTX, d.Origin)
	fill(&d.Unresolved, d.Origin)
	fill(&d.Launched, d.Origin)
	fill(&d.Message, d.Origin)
	fill(&d.Source, d.Origin)
}

func fill[T any](f *Field[T], whole Origin) {
	if f.Set && f.Origin.From == "" {
		f.Origin = whole
	}
}
