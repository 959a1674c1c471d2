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
	m.without()
	d.byParts[string(d.key)] = m
	return m
}

// without takes out what PTX denies: where it has no bounds the compiler was
// told none, whatever the source looks like. The parts keep the contradiction.
func (m *merged) without() {
	if f := &m.LaunchBounds; f.Origin.From == FromPTX && f.Value == (Bounds{}) {
		*f = Field[Bounds]{}
	}
	if f := &m.MaxRegisters; f.Origin.From == FromPTX && f.Value == 0 {
		*f = Field[int]{}
	}
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
	for i := range budgets {
		if b := &budgets[i]; b.ofCallee {
			inherit(b.field(&m.Declaration), b.field(&kernel.Declaration))
		}
	}
	inherit(&m.Message, &kernel.Message)
	inherit(&m.Source, &kernel.Source)
	d.byCallee[key] = m
	return m
}

func inherit(own, kernels declaredField) {
	if kernels.isSet() && (!own.isSet() || own.origin().From == FromDefaults) {
		own.later(kernels)
	}
}

// declaredField is a Field of a Declaration, whatever it holds.
type declaredField interface {
	isSet() bool
	origin() Origin
	later(declaredField)
	fill(Origin)
}

// fields are all of them; TestEveryFieldIsMerged holds that none is missing.
func (d *Declaration) fields() []declaredField {
	list := make([]declaredField, 0, 24)
	list = append(list, &d.LaunchBounds, &d.Block, &d.DynamicShared, &d.MaxRegisters)
	for i := range budgets {
		if f := budgets[i].field(d); f != nil {
			list = append(list, f)
		}
	}
	return append(list, &d.DynamicSharedUsed, &d.PTX, &d.Unresolved, &d.Launched, &d.Message, &d.Source)
}

// over lets every field that src declares win over what d has.
func (d *Declaration) over(src *Declaration) {
	own := d.fields()
	for i, f := range src.fields() {
		own[i].later(f)
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
	for _, f := range d.fields() {
		f.fill(d.Origin)
	}
}

func (f *Field[T]) isSet() bool    { return f.Set }
func (f *Field[T]) origin() Origin { return f.Origin }

// later takes what src declares, if it declares anything. Both hold the same.
func (f *Field[T]) later(src declaredField) {
	if s := src.(*Field[T]); s.Set {
		*f = *s
	}
}

func (f *Field[T]) fill(whole Origin) {
	if f.Set && f.Origin.From == "" {
		f.Origin = whole
	}
}
