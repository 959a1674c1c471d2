package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// BaselineEntries is what a baseline records to accept a finding: one entry
// for each number of it.
func BaselineEntries(f *Finding, reason string) []BaselineEntry {
	var list []BaselineEntry
	for _, m := range f.measures() {
		list = append(list, BaselineEntry{
			Rule: f.Rule, Kernel: name.Canonical(f.Kernel), Arch: f.Arch,
			Field: m.Field, Detail: f.Detail, Value: m.Value, Reason: reason,
		})
	}
	return list
}

// BaseEntries lists what a result finds, for Policy.Base. A log that can't be
// trusted is no base; what its findings of untrusted-log say is not listed.
func BaseEntries(r *Result, reason string) []BaselineEntry {
	var list []BaselineEntry
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule != untrustedLogID && f.Suppressed == "" {
			list = append(list, BaselineEntries(f, reason)...)
		}
	}
	return list
}

// AsBase returns the entries as those of Policy.Base, which file has.
func (b *Baseline) AsBase(file string) *Baseline {
	origin := Origin{From: FromBase, Place: parse.Place{File: file}}
	base := &Baseline{Entries: slices.Clone(b.Entries), Tolerance: b.Tolerance, Origin: origin}
	for i := range base.Entries {
		base.Entries[i].Origin = origin
	}
	return base
}

// accepted is a baseline entry and what became of it.
type accepted struct {
	*BaselineEntry
	used bool
	best float64 // the worst value that the log still has
}

type baselineKey struct{ rule, kernel, arch, field, detail string }

// baseline finds the entries for a finding.
type baseline struct {
	policy *Baseline
	ofLog  bool // it has findings on no kernel too
	byKey  map[baselineKey]*accepted
	list   []*accepted // in the order of the file
}

// newBaseline indexes a baseline; nil is one that accepts nothing. Kernels of
// internal linkage in several files can share a canonical name: the worst of
// their values counts for all.
func newBaseline(p *Baseline) *baseline {
	b := &baseline{policy: p, byKey: map[baselineKey]*accepted{}}
	if p == nil {
		return b
	}
	for i := range p.Entries {
		e := &p.Entries[i]
		k := baselineKey{e.Rule, e.Kernel, e.Arch, e.Field, e.Detail}
		have := b.byKey[k]
		if have == nil {
			have = &accepted{BaselineEntry: e}
			b.byKey[k] = have
			b.list = append(b.list, have)
		} else if worseValue(e.Field, e.Value, have.Value) {
			have.BaselineEntry = e
		}
	}
	return b
}

// tenth rounds to what reports and baselines write, so that 43.75 is no worse
// than the 43.8 that stands in the file.
func tenth(n float64) float64 { return math.Round(n*10) / 10 }

func worseValue(field string, a, b float64) bool {
	if MoreIsWorse(field) {
		return a > b
	}
	return a < b
}

// tolerance is how much worse than recorded a field may get.
func (b *baseline) tolerance(field string) float64 {
	if t, ok := b.policy.Tolerance[field]; ok {
		return t
	}
	if field == FieldSpillStores || field == FieldSpillLoads {
		return b.policy.Tolerance["spills"]
	}
	return 0
}

// apply accepts the findings that are no worse than recorded. One that got
// worse becomes a regression; one that has a number which was never recorded
// stays as it is.
func (b *baseline) apply(j *judge) {
	if len(b.list) == 0 {
		return
	}
	for i := range j.findings {
		f := &j.findings[i]
		if f.Rule != untrustedLogID && (f.Kernel != "" || b.ofLog) {
			b.accept(j, f)
		}
	}
}

func (b *baseline) accept(j *judge, f *Finding) {
	var worst *accepted
	var now Measure
	var all []*accepted
	for _, m := range f.measures() {
		e := b.byKey[baselineKey{f.Rule, name.Canonical(f.Kernel), f.Arch, m.Field, f.Detail}]
		if e == nil {
			if m.Field != "" && !worseValue(m.Field, m.Value, m.Limit) {
				continue // this number breaks nothing
			}
			return
		}
		if !e.used || worseValue(m.Field, m.Value, e.best) {
			e.used, e.best = true, m.Value
		}
		all = append(all, e)
		allowed := e.Value + b.tolerance(m.Field)
		if !MoreIsWorse(m.Field) {
			allowed = e.Value - b.tolerance(m.Field)
		}
		if m.Field != "" && worseValue(m.Field, tenth(m.Value), tenth(allowed)) && worst == nil {
			worst, now = e, m
		}
	}
	switch {
	case len(all) == 0 || f.Suppressed != "":
	case worst != nil:
		if j.on(regressionID) {
			toRegression(j, f, worst.BaselineEntry, now, b.tolerance(now.Field))
		}
	default:
		f.Suppressed = cmp.Or(all[0].Reason, "accepted by the baseline")
		f.SuppressedBy = all[0].Origin
		if f.SuppressedBy.From == "" {
			f.SuppressedBy = b.policy.Origin
		}
	}
}
