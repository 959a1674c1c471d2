package rules

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// fingerprint identifies a finding over line moves and build ids.
func fingerprint(f *Finding, canonical string, repeat int) string {
	var text []byte
	for _, part := range [...]string{f.Rule, canonical, f.Arch, f.Detail, strconv.Itoa(repeat)} {
		text = strconv.AppendInt(text, int64(len(part)), 10)
		text = append(text, ':')
		text = append(text, part...)
		text = append(text, '\n')
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// fold keeps one finding of those that several compilations of one kernel
// give: the worst. A template that many files instantiate is one problem.
func fold(findings []Finding) []Finding {
	type id struct{ rule, kernel, arch, detail string }
	first := make(map[id]int, len(findings))
	copies := map[int]int{}
	kept := findings[:0]
	for i := range findings {
		f := findings[i]
		if f.Kernel == "" {
			kept = append(kept, f)
			continue
		}
		k := id{f.Rule, f.Kernel, f.Arch, f.Detail}
		at, seen := first[k]
		if !seen {
			first[k] = len(kept)
			kept = append(kept, f)
			continue
		}
		copies[at]++
		if worse(&f, &kept[at]) {
			kept[at] = f
		}
	}
	for at, more := range copies {
		kept[at].Notes = append(kept[at].Notes, fmt.Sprintf("the worst of %d compilations of this kernel in the log", more+1))
	}
	return kept
}

// worse reports whether a is a worse finding than b of the same rule.
func worse(a, b *Finding) bool {
	if a.Severity != b.Severity {
		return a.Severity > b.Severity
	}
	if MoreIsWorse(a.Field) {
		return a.Value > b.Value
	}
	return a.Value < b.Value
}

// finish brings the findings into their order and gives them fingerprints.
func (j *judge) finish() {
	order := map[string]int{untrustedLogID: -1}
	for i, r := range j.rules {
		if r.ID != untrustedLogID {
			order[r.ID] = i
		}
	}
	sorted := make([]*Finding, len(j.findings))
	for i := range j.findings {
		sorted[i] = &j.findings[i]
	}
	slices.SortStableFunc(sorted, func(a, b *Finding) int { return compareFindings(a, b, order) })
	findings := make([]Finding, len(sorted)) // each is large, and moved once
	for i, f := range sorted {
		findings[i] = *f
	}
	j.findings = findings
	repeats := map[string]int{}
	for i := range j.findings {
		f := &j.findings[i]
		canonical := name.Canonical(f.Kernel)
		id := strings.Join([]string{f.Rule, canonical, f.Arch, f.Detail}, "\x00")
		f.Fingerprint = fingerprint(f, canonical, repeats[id])
		repeats[id]++
	}
}

// compareFindings puts the worst first: what nothing suppresses, by severity,
// a log that can't be trusted before all else; then by place.
func compareFindings(a, b *Finding, order map[string]int) int {
	first := func(f *Finding) int {
		if f.Rule == untrustedLogID {
			return 0
		}
		return 1
	}
	suppressed := func(f *Finding) int {
		if f.Suppressed != "" {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(suppressed(a), suppressed(b)),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(first(a), first(b)),
		comparePlaces(a.Place, b.Place),
		comparePlaces(a.Log, b.Log),
		strings.Compare(a.Kernel, b.Kernel),
		strings.Compare(a.Arch, b.Arch),
		cmp.Compare(order[a.Rule], order[b.Rule]),
		cmp.Compare(order[a.Regressed()], order[b.Regressed()]),
		strings.Compare(a.Detail, b.Detail),
		strings.Compare(a.Message, b.Message),
	)
}

func comparePlaces(a, b parse.Place) int {
	return cmp.Or(
		strings.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
	)
}
