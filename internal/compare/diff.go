package compare

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// Status says what became of a kernel.
type Status uint8

// The statuses, worst first: this is the order in which they are shown.
const (
	Regressed Status = iota // worse by more than a threshold allows
	Worse                   // worse in something, within the thresholds
	Better                  // better in something, worse in nothing
	Unknown                 // no known change, and a number that only one side states
	Added
	Removed
	Unchanged
	statuses
)

// String returns the word of the JSON output.
func (s Status) String() string {
	return [statuses]string{"regressed", "worse", "better", "unknown", "added", "removed", "unchanged"}[s]
}

// Change is one field whose value differs, or that only one side states.
type Change struct {
	Field    Field
	Old, New Value
	// Threshold is the one that the change breaks, as written; empty: none.
	Threshold string
}

// Known reports whether both sides state the value.
func (c Change) Known() bool { return c.Old.Stated && c.New.Stated }

// Delta is the new value less the old one, in the field's unit; 0 when one of
// them is unknown.
func (c Change) Delta() float64 {
	if !c.Known() {
		return 0
	}
	return c.New.Number - c.Old.Number
}

// Worse reports whether the new value is known to be the worse one.
func (c Change) Worse() bool {
	if c.Field.moreIsWorse() {
		return c.Delta() > 0
	}
	return c.Delta() < 0
}

// Pair is one kernel or function of one architecture on both sides.
type Pair struct {
	Name, OldName string // mangled; OldName differs where a build id is part of the name
	Parent        string // the kernel that a function was compiled for
	Arch          string
	Kind          parse.Kind
	Status        Status
	Old, New      Values
	OldPlace      parse.Place
	Place         parse.Place
	Source        parse.Place // the kernel in the source, where that is known
	// OldCopies and NewCopies count the compilations behind each side's
	// values, of which the worst number counts.
	OldCopies, NewCopies int
	// Stages differ where one side was linked and the other was not; a
	// linker's numbers include the callees'.
	OldStage, NewStage parse.Stage
	Changes            []Change // in the order of Field

	key key
}

// Diff is what changed between two logs.
type Diff struct {
	Pairs      []Pair // sorted: what got worse the most comes first
	Thresholds []Threshold
	// Compared counts, by field, the pairs in which both sides state it;
	// OneSided those in which only one side does.
	Compared, OneSided [fields]int
	// NotJudged counts the records of both logs that are no part of the
	// comparison. Logs does not know them; the caller may say.
	NotJudged int
}

// Count returns how many pairs have a status.
func (d *Diff) Count(s Status) int {
	n := 0
	for i := range d.Pairs {
		if d.Pairs[i].Status == s {
			n++
		}
	}
	return n
}

// Common counts the pairs that both sides have.
func (d *Diff) Common() int { return len(d.Pairs) - d.Count(Added) - d.Count(Removed) }

// Logs compares the judged kernels of two logs, as Result.Kernels lists them, by
// thresholds. It keeps no reference to its arguments.
func Logs(before, after iter.Seq2[int, rules.Judgement], thresholds []Threshold) *Diff {
	d := &Diff{Thresholds: thresholds}
	d.Pairs = pairUp(bundle(before), bundle(after))
	for i := range d.Pairs {
		d.judge(&d.Pairs[i])
	}
	slices.SortFunc(d.Pairs, byWorst)
	return d
}

func (d *Diff) judge(p *Pair) {
	switch {
	case p.OldCopies == 0:
		p.Status = Added
		return
	case p.NewCopies == 0:
		p.Status = Removed
		return
	}
	p.Status = Unchanged
	worse := false
	for f := range fields {
		c := Change{Field: f, Old: p.Old[f], New: p.New[f]}
		switch {
		case c.Known():
			d.Compared[f]++
		case c.Old.Stated || c.New.Stated:
			d.OneSided[f]++
		}
		if c.Old == c.New {
			continue
		}
		c.Threshold = broken(d.Thresholds, c)
		p.Changes = append(p.Changes, c)
		switch {
		case c.Threshold != "":
			p.Status = Regressed
		case c.Worse():
			worse = true
		case c.Known() && p.Status == Unchanged, c.Known() && p.Status == Unknown:
			p.Status = Better
		case p.Status == Unchanged:
			p.Status = Unknown
		}
	}
	if worse && p.Status != Regressed {
		p.Status = Worse
	}
}

// byWorst orders pairs by status, then by what hurts most: spills cost the
// most time, then lost occupancy, then registers and the rest.
func byWorst(a, b Pair) int {
	if c := cmp.Compare(a.Status, b.Status); c != 0 {
		return c
	}
	for _, harm := range []func(*Pair) float64{spillHarm, occupancyHarm, harmOf(Registers), harmOf(Stack), harmOf(Shared), harmOf(Barriers)} {
		if c := cmp.Compare(harm(&b), harm(&a)); c != 0 {
			return c
		}
	}
	return cmp.Or(
		strings.Compare(a.key.name, b.key.name),
		strings.Compare(a.Arch, b.Arch),
		strings.Compare(a.Parent, b.Parent),
		strings.Compare(a.Name, b.Name),
		strings.Compare(a.OldName, b.OldName),
	)
}

func spillHarm(p *Pair) float64 { return harmOf(SpillStores)(p) + harmOf(SpillLoads)(p) }

func occupancyHarm(p *Pair) float64 { return -harmOf(Occupancy)(p) }

// harmOf is the growth of a field; for an added kernel its whole value.
func harmOf(f Field) func(*Pair) float64 {
	return func(p *Pair) float64 {
		switch {
		case p.Status == Added:
			return p.New[f].Number
		case p.Status == Removed, !p.Old[f].Stated, !p.New[f].Stated:
			return 0
		}
		return p.New[f].Number - p.Old[f].Number
	}
}
