package compare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

// identity is what makes a finding of today the one that a baseline entry
// accepts.
type identity struct{ rule, kernel, arch, detail, field string }

func entryIdentity(e *rules.BaselineEntry) identity {
	return identity{e.Rule, e.Kernel, e.Arch, e.Detail, e.Field}
}

// neverAccepted are the rules that speak of the gate itself.
var neverAccepted = []string{"untrusted-log", "unmatched", "stale-exception", "unknown-arch", "regression"}

// Acceptable reports whether a baseline can accept a finding: it is about one
// kernel, no other exception accepts it already, and it is not a mistake in
// the gate itself, which would then be silent for good.
func Acceptable(f *rules.Finding) bool {
	return !slices.Contains(neverAccepted, f.Rule) && f.Kernel != "" && f.Suppressed == "" && f.Severity >= rules.Warning
}

// Accept turns the findings of a log that was judged without a baseline into
// entries, one per rule, kernel, architecture, detail and field: of
// several compilations the worst value. Entries of old keep their reason as
// long as today is no worse than they say; the others get reason. Entries that
// the log can't speak of (see Prune) are kept.
func Accept(result *rules.Result, reason string, old *rules.Baseline, partial bool) []rules.BaselineEntry {
	reasons := map[identity]*rules.BaselineEntry{}
	for i := range old.Entries {
		reasons[entryIdentity(&old.Entries[i])] = &old.Entries[i]
	}
	var entries []rules.BaselineEntry
	covered := coverage(result, partial)
	for i := range old.Entries {
		if covered(&old.Entries[i]) != inLog {
			entries = append(entries, old.Entries[i])
		}
	}
	for id, value := range today(result.Findings) {
		e := rules.BaselineEntry{Rule: id.rule, Kernel: id.kernel, Arch: id.arch, Detail: id.detail, Field: id.field, Value: value, Reason: reason}
		if was := reasons[id]; was != nil && !worseThan(id.field, value, was.Value) {
			e.Reason = was.Reason
		}
		entries = append(entries, e)
	}
	sortEntries(entries)
	return entries
}

// today returns the worst value of each acceptable finding.
func today(findings []rules.Finding) map[identity]float64 {
	values := map[identity]float64{}
	for i := range findings {
		f := &findings[i]
		if !Acceptable(f) {
			continue
		}
		for _, e := range rules.BaselineEntries(f, "") {
			id := entryIdentity(&e)
			if was, ok := values[id]; !ok || worseThan(id.field, e.Value, was) {
				values[id] = e.Value
			}
		}
	}
	return values
}

// whether says what a log can say of a baseline entry.
type whether uint8

const (
	inLog     whether = iota
	otherArch         // the log does not have the architecture
	absent            // the log is partial and does not have the kernel
)

// coverage returns what a log can say of an entry.
func coverage(result *rules.Result, partial bool) func(*rules.BaselineEntry) whether {
	seen := map[string]bool{}
	if partial {
		for _, j := range result.Kernels() {
			seen[name.Canonical(j.Kernel.Name)] = true
		}
	}
	return func(e *rules.BaselineEntry) whether {
		switch {
		case !slices.Contains(result.Archs, e.Arch):
			return otherArch
		case partial && !seen[e.Kernel]:
			return absent
		}
		return inLog
	}
}

func worseThan(field string, value, than float64) bool {
	if rules.MoreIsWorse(field) {
		return value > than
	}
	return value < than
}

// Pruned is a baseline after what is no longer needed was taken out.
type Pruned struct {
	Entries []rules.BaselineEntry // sorted
	Gone    []rules.BaselineEntry // nothing is found any more
	Better  []rules.BaselineEntry // with today's value; Entries has it too
	// OtherArchs counts the entries of architectures that the log does not
	// have; they stay as they are.
	OtherArchs int
	// Absent counts the entries that stay because the log is partial and
	// does not have their kernel.
	Absent int
}

// Prune takes from a baseline what a log, judged without it, no longer needs,
// and lowers what got better. It never raises anything. partial keeps the
// entries of kernels that the log does not have.
func Prune(base *rules.Baseline, result *rules.Result, partial bool) *Pruned {
	values := today(result.Findings)
	covered := coverage(result, partial)
	p := &Pruned{}
	for _, e := range base.Entries {
		value, found := values[entryIdentity(&e)]
		switch in := covered(&e); {
		case in == otherArch:
			p.OtherArchs++
		case in == absent:
			p.Absent++
		case !found:
			p.Gone = append(p.Gone, e)
			continue
		case worseThan(e.Field, e.Value, value):
			e.Value = value
			p.Better = append(p.Better, e)
		}
		p.Entries = append(p.Entries, e)
	}
	sortEntries(p.Entries)
	return p
}

// Grown returns the entries of after that before does not have, or has with a
// better value: what a reviewer has to agree to.
func Grown(before *rules.Baseline, after []rules.BaselineEntry) []rules.BaselineEntry {
	was := map[identity]float64{}
	for i := range before.Entries {
		was[entryIdentity(&before.Entries[i])] = before.Entries[i].Value
	}
	var grown []rules.BaselineEntry
	for _, e := range after {
		if old, ok := was[entryIdentity(&e)]; !ok || worseThan(e.Field, e.Value, old) {
			grown = append(grown, e)
		}
	}
	return grown
}

// sortEntries brings entries into the order of the file, which depends on
// nothing but the entries.
func sortEntries(entries []rules.BaselineEntry) {
	families := map[string]string{}
	family := func(kernel string) string {
		f, ok := families[kernel]
		if !ok {
			f = name.Family(kernel)
			families[kernel] = f
		}
		return f
	}
	slices.SortFunc(entries, func(a, b rules.BaselineEntry) int {
		return cmp.Or(
			strings.Compare(family(a.Kernel), family(b.Kernel)),
			strings.Compare(a.Reason, b.Reason),
			strings.Compare(a.Kernel, b.Kernel),
			ByArch(a.Arch, b.Arch),
			strings.Compare(a.Rule, b.Rule),
			strings.Compare(a.Detail, b.Detail),
			cmp.Compare(fieldRank(a.Field), fieldRank(b.Field)),
		)
	})
}

// ByArch puts sm_90 before sm_100.
func ByArch(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
