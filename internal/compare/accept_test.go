package compare

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// spills is a finding of spill-budget as the gate reports it.
func spills(kernel, arch string, stores, loads float64) rules.Finding {
	return rules.Finding{
		Rule: "spill-budget", Severity: rules.Error, Kernel: kernel, Arch: arch, Field: "spill_stores", Value: stores,
		Measures: []rules.Measure{{Field: "spill_stores", Value: stores}, {Field: "spill_loads", Value: loads}},
	}
}

func with(f rules.Finding, change func(*rules.Finding)) rules.Finding {
	change(&f)
	return f
}

func TestAccept(t *testing.T) {
	findings := []rules.Finding{
		spills(hidden13, "sm_90", 16, 24),
		// Another compilation of it, better in one number and worse in the other.
		spills(hidden13, "sm_90", 20, 8),
		spills(saxpyFloat, "sm_90", 8, 8),
		spills(saxpyDouble, "sm_90", 32, 8),
		with(spills("warned", "sm_90", 1, 1), func(f *rules.Finding) { f.Severity = rules.Warning }),
		with(spills("info", "sm_90", 1, 1), func(f *rules.Finding) { f.Severity = rules.Info }),
		with(spills("ignored", "sm_90", 1, 1), func(f *rules.Finding) { f.Suppressed = "cold path" }),
		{Rule: "untrusted-log", Severity: rules.Error, Kernel: "k", Arch: "sm_90"},
		{Rule: "unmatched", Severity: rules.Error},
	}
	old := &rules.Baseline{Entries: []rules.BaselineEntry{
		entry("spill-budget", saxpyFloat, "sm_90", "spill_stores", 8, "PERF-7"),
		entry("spill-budget", saxpyFloat, "sm_90", "spill_loads", 8, "PERF-7"),
		entry("spill-budget", saxpyDouble, "sm_90", "spill_stores", 16, "PERF-8"),
		entry("spill-budget", saxpyDouble, "sm_90", "spill_loads", 16, "PERF-8"),
		entry("spill-budget", "gone", "sm_90", "spill_stores", 16, "PERF-9"),
		// Of an architecture that this log does not have.
		entry("spill-budget", "elsewhere", "sm_80", "spill_stores", 16, "PERF-9"),
	}}
	want := []rules.BaselineEntry{
		entry("spill-budget", hiddenCanonical, "sm_90", "spill_stores", 20, "today"),
		entry("spill-budget", hiddenCanonical, "sm_90", "spill_loads", 24, "today"),
		// Worse than PERF-8 agreed to: the new reason has to stand for it.
		entry("spill-budget", saxpyDouble, "sm_90", "spill_loads", 8, "PERF-8"),
		entry("spill-budget", saxpyFloat, "sm_90", "spill_stores", 8, "PERF-7"),
		entry("spill-budget", saxpyFloat, "sm_90", "spill_loads", 8, "PERF-7"),
		entry("spill-budget", saxpyDouble, "sm_90", "spill_stores", 32, "today"),
		entry("spill-budget", "warned", "sm_90", "spill_stores", 1, "today"),
		entry("spill-budget", "warned", "sm_90", "spill_loads", 1, "today"),
		entry("spill-budget", "elsewhere", "sm_80", "spill_stores", 16, "PERF-9"),
	}
	sortEntries(want)
	result := &rules.Result{Findings: findings, Archs: []string{"sm_90"}}
	got := Accept(result, "today", old, false)
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(rules.BaselineEntry{}, "Origin")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	grown := Grown(old, got)
	var names []string
	for _, e := range grown {
		names = append(names, e.Kernel+" "+e.Field)
	}
	wantGrown := []string{
		hiddenCanonical + " spill_stores", hiddenCanonical + " spill_loads",
		saxpyDouble + " spill_stores", "warned spill_stores", "warned spill_loads",
	}
	if diff := cmp.Diff(wantGrown, names); diff != "" {
		t.Errorf("grown (-want +got):\n%s", diff)
	}
}

// A partial log says nothing of the kernels that it does not have.
func TestAcceptOfPartialLog(t *testing.T) {
	old := &rules.Baseline{Entries: []rules.BaselineEntry{
		entry("spill-budget", "absent", "sm_90", "spill_stores", 16, "PERF-7"),
		entry("spill-budget", "clean", "sm_90", "spill_stores", 16, "PERF-7"),
	}}
	result := rules.ResultOf(nil, rules.Judgement{Kernel: parse.Kernel{Name: "clean"}})
	result.Archs = []string{"sm_90"}
	if got := Accept(result, "today", old, true); len(got) != 1 || got[0].Kernel != "absent" {
		t.Errorf("got %v, want the entry of the kernel that the log does not have", got)
	}
	if got := Accept(result, "today", old, false); len(got) != 0 {
		t.Errorf("of a full log: got %v, want none", got)
	}
}

func TestPrune(t *testing.T) {
	base := &rules.Baseline{Entries: []rules.BaselineEntry{
		entry("spill-budget", "same", "sm_90", "spill_stores", 16, "r"),
		entry("spill-budget", "better", "sm_90", "spill_stores", 16, "r"),
		entry("spill-budget", "worse", "sm_90", "spill_stores", 16, "r"),
		entry("spill-budget", "gone", "sm_90", "spill_stores", 16, "r"),
		entry("spill-budget", "elsewhere", "sm_80", "spill_stores", 16, "r"),
		entry("min-blocks", "blocks", "sm_90", "blocks", 4, "r"),
		entry("spill-budget", hiddenCanonical, "sm_90", "spill_stores", 16, "r"),
	}}
	only := func(kernel string, stores float64) rules.Finding {
		return with(spills(kernel, "sm_90", stores, 0), func(f *rules.Finding) { f.Measures = f.Measures[:1] })
	}
	result := rules.ResultOf(
		[]rules.Finding{
			only("same", 16), only("better", 8), only("worse", 32), only(hidden12, 16),
			{Rule: "min-blocks", Severity: rules.Error, Kernel: "blocks", Arch: "sm_90", Field: "blocks", Value: 6, Limit: 12},
		},
		rules.Judgement{Kernel: parse.Kernel{Name: "same"}})
	result.Archs = []string{"sm_90"}
	p := Prune(base, result, false)
	want := []rules.BaselineEntry{
		entry("spill-budget", hiddenCanonical, "sm_90", "spill_stores", 16, "r"),
		// More blocks are better, so the recorded number rises.
		entry("min-blocks", "blocks", "sm_90", "blocks", 6, "r"),
		entry("spill-budget", "better", "sm_90", "spill_stores", 8, "r"),
		entry("spill-budget", "elsewhere", "sm_80", "spill_stores", 16, "r"),
		entry("spill-budget", "same", "sm_90", "spill_stores", 16, "r"),
		// Prune never raises what was agreed to.
		entry("spill-budget", "worse", "sm_90", "spill_stores", 16, "r"),
	}
	sortEntries(want)
	if diff := cmp.Diff(want, p.Entries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(p.Gone) != 1 || p.Gone[0].Kernel != "gone" || len(p.Better) != 2 || p.OtherArchs != 1 || p.Absent != 0 {
		t.Errorf("gone %v, better %v, other architectures %d, absent %d", p.Gone, p.Better, p.OtherArchs, p.Absent)
	}
	// A partial log has the kernel "same" alone: nothing is known of the rest.
	p = Prune(base, result, true)
	if len(p.Entries) != len(base.Entries) || len(p.Gone) != 0 || p.Absent != 5 {
		t.Errorf("partial: %d entries, gone %v, absent %d", len(p.Entries), p.Gone, p.Absent)
	}
}
