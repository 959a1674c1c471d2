package rules

import (
	"strings"
	"testing"
	"time"
)

var spillingLog = module + frame("_Z1kPf", "sm_90", "64 registers, used 0 barriers", 120, 244, 276)

func noSpills() Declaration {
	return Declaration{SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0)}
}

func day(s string) time.Time {
	t, err := time.Parse("2006-01-02", s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestIgnore(t *testing.T) {
	for _, c := range []struct {
		name   string
		ignore Ignore
		today  string
		want   []string // findings of warning and above that count
	}{
		{"by pattern", Ignore{Rule: "spill-budget", Match: "k"}, "", nil},
		{"by mangled name", Ignore{Rule: "spill-budget", Match: "_Z1kPf"}, "", nil},
		{"by names", Ignore{Rule: "spill-budget", Match: "k", Names: []string{"_Z1kPf"}}, "", nil},
		{"all", Ignore{Rule: "spill-budget", Match: "*"}, "", nil},
		{"for its architecture", Ignore{Rule: "spill-budget", Match: "k", Archs: []string{"sm_90"}}, "", nil},
		{"for an architecture that the log does not have", Ignore{Rule: "spill-budget", Match: "k", Archs: []string{"sm_80"}}, "",
			[]string{"spill-budget k"}},
		{"another kernel", Ignore{Rule: "spill-budget", Match: "j"}, "", []string{"spill-budget k", "stale-exception"}},
		{"another rule", Ignore{Rule: "stack-budget", Match: "k"}, "", []string{"spill-budget k", "stale-exception"}},
		{"a rule that is off", Ignore{Rule: "stack-frame", Match: "k"}, "", []string{"spill-budget k"}},
		{"on its last day", Ignore{Rule: "spill-budget", Match: "k", Until: day("2027-03-01")}, "2027-03-01", nil},
		{"the day after", Ignore{Rule: "spill-budget", Match: "k", Until: day("2027-03-01")}, "2027-03-02",
			[]string{"spill-budget k", "stale-exception"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.ignore.Reason = "cold path"
			p := &Policy{Declarations: []Declaration{noSpills()}, Ignores: []Ignore{c.ignore}}
			if c.today != "" {
				p.Today = day(c.today)
			}
			r := judgeText(t, spillingLog, p)
			wantSummary(t, r, Warning, c.want...)
			if f := find(t, r, "spill-budget", "k"); c.want == nil && f.Suppressed != "cold path" {
				t.Errorf("suppressed with %q", f.Suppressed)
			}
		})
	}
}

// A callee's finding is ignored by its own name or by its kernel's.
func TestIgnoreOfCallee(t *testing.T) {
	text := module + entry("calls", "sm_80", "64 registers") +
		"ptxas info    : Function properties for _Z5heavyPKfPfi\n    0 bytes stack frame, 220 bytes spill stores, 248 bytes spill loads\n"
	for _, match := range []string{"heavy", "calls"} {
		r := judgeText(t, text, &Policy{
			Declarations: []Declaration{noSpills()},
			Ignores:      []Ignore{{Rule: "callee-spill", Match: match, Reason: "slow path"}},
		})
		wantSummary(t, r, Warning)
	}
}

func TestBadPolicies(t *testing.T) {
	for _, c := range []struct {
		name   string
		policy Policy
		want   string
	}{
		{"pattern", Policy{Declarations: []Declaration{{Match: "re:("}}}, `declaration 1 matches "re:("`},
		{"ignored rule", Policy{Ignores: []Ignore{{Rule: "spills", Match: "k", Reason: "r"}}}, `no rule "spills"`},
		{"ignored trust", Policy{Ignores: []Ignore{{Rule: "untrusted-log", Match: "k", Reason: "r"}}}, "untrusted-log can't be ignored"},
		{"no reason", Policy{Ignores: []Ignore{{Rule: "spill-budget", Match: "k"}}}, "a reason is required"},
		{"severity of nothing", Policy{Severities: map[string]Severity{"spills": Off}}, `severity of "spills"`},
		{"trust off", Policy{Severities: map[string]Severity{"untrusted-log": Off}}, "it is always an error"},
		{"trust lowered", Policy{Severities: map[string]Severity{"untrusted-log": Info}}, "it is always an error"},
		{"GPU", Policy{GPU: "H1000"}, "H1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Judge(readLog(t, spillingLog), &c.policy)
			if err == nil || !strings.Contains(err.Error(), c.want) || r != nil {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestSeverities(t *testing.T) {
	for _, c := range []struct {
		severity Severity
		declared bool
		want     Severity
	}{
		{Off, true, Off},
		{Info, true, Info},
		{Warning, true, Warning},
		{Error, false, Error}, // set on purpose: also where no budget is declared
	} {
		p := &Policy{Severities: map[string]Severity{"spill-budget": c.severity}}
		if c.declared {
			p.Declarations = []Declaration{noSpills()}
		}
		if got := judgeText(t, spillingLog, p).Worst(); got != c.want {
			t.Errorf("spill-budget: %v gives %v", c.severity, got)
		}
	}
}

func baselineOf(stores, loads float64) *Baseline {
	entry := func(field string, value float64) BaselineEntry {
		return BaselineEntry{Rule: "spill-budget", Kernel: "_Z1kPf", Arch: "sm_90", Field: field, Value: value, Reason: "as it is"}
	}
	return &Baseline{Entries: []BaselineEntry{entry(FieldSpillStores, stores), entry(FieldSpillLoads, loads)}}
}

// The log spills 244 bytes of stores and 276 of loads.
func TestBaseline(t *testing.T) {
	for _, c := range []struct {
		name          string
		stores, loads float64
		tolerance     map[string]float64
		want          []string
		message       string
	}{
		{"as recorded", 244, 276, nil, nil, ""},
		{"better", 300, 276, nil, []string{"stale-exception"}, "the baseline accepts 300 bytes of spill stores for _Z1kPf on sm_90, and it is down to 244 (spill-budget)"},
		{"stores are worse", 240, 276, nil, []string{"regression k"}, "k got worse on sm_90: 244 bytes of spill stores, 4 more than the 240 that the baseline accepts (spill-budget)"},
		{"loads are worse", 244, 270, nil, []string{"regression k"}, "k got worse on sm_90: 276 bytes of spill loads, 6 more than the 270 that the baseline accepts (spill-budget)"},
		{"within the tolerance", 240, 270, map[string]float64{"spills": 6}, nil, ""},
		{"above the tolerance", 240, 270, map[string]float64{"spills": 5}, []string{"regression k"}, "k got worse on sm_90: 276 bytes of spill loads, 6 more than the 270 that the baseline accepts (spill-budget)"},
		{"a tolerance of its own", 240, 276, map[string]float64{FieldSpillStores: 4}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := baselineOf(c.stores, c.loads)
			b.Tolerance = c.tolerance
			r := judgeText(t, spillingLog, &Policy{Declarations: []Declaration{noSpills()}, Baseline: b})
			wantSummary(t, r, Info, c.want...)
			if c.message != "" && r.Findings[0].Message != c.message {
				t.Errorf("message\n%s\nwant\n%s", r.Findings[0].Message, c.message)
			}
		})
	}
}

// Regressions of one kernel come as the findings would that they stand for:
// the spill before the cap beside it.
func TestRegressionsKeepTheOrderOfTheirRules(t *testing.T) {
	b := &Baseline{}
	for _, rule := range []string{"capped-and-spilling", "spill-budget"} {
		for _, field := range []string{FieldSpillStores, FieldSpillLoads} {
			b.Entries = append(b.Entries, BaselineEntry{Rule: rule, Kernel: "_Z1kPf", Arch: "sm_90", Field: field, Value: 100, Reason: "as it was"})
		}
	}
	d := noSpills()
	d.LaunchBounds = Declared(Bounds{256, 4})
	r := judgeText(t, spillingLog, &Policy{Declarations: []Declaration{d}, Baseline: b})
	wantSummary(t, r, Info, "regression k", "regression k")
	if f := &r.Findings[0]; !strings.HasSuffix(f.Message, "(spill-budget)") {
		t.Errorf("first is %q", f.Message)
	}
}

func TestIgnoredRegression(t *testing.T) {
	r := judgeText(t, spillingLog, &Policy{
		Declarations: []Declaration{noSpills()},
		Baseline:     baselineOf(240, 276),
		Ignores:      []Ignore{{Rule: "regression", Match: "k", Reason: "until the rewrite lands"}},
	})
	wantSummary(t, r, Info)
	if f := find(t, r, "regression", "k"); f.Suppressed != "until the rewrite lands" {
		t.Errorf("suppressed with %q", f.Suppressed)
	}
}

func TestBaselineOfLess(t *testing.T) {
	log := module + entry("k", "sm_90", "80 registers, used 0 barriers")
	p := &Policy{Declarations: []Declaration{{Match: "k", Block: Declared(256), MinOccupancy: Declared(50.0)}}}
	// 80 registers × 32 = 2560 per warp; 16384 per partition hold 6; 24 warps
	// of 64 are 37.5 %.
	for value, want := range map[float64][]string{37.5: nil, 40: {"regression k"}, 25: {"stale-exception"}} {
		p.Baseline = &Baseline{Entries: []BaselineEntry{{Rule: "min-occupancy", Kernel: "k", Arch: "sm_90", Field: FieldOccupancy, Value: value}}}
		wantSummary(t, judgeText(t, log, p), Info, want...)
	}
}

// A baseline made of today's findings accepts all of them, and only them.
func TestBaselineEntriesRoundTrip(t *testing.T) {
	log := readFile(t, "nvcc13.0/bounds-sm_90.log")
	p := &Policy{Declarations: append([]Declaration{noSpills()}, boundsDeclarations()...)}
	first := mustJudge(t, log, p)
	b := &Baseline{}
	for i := range first.Findings {
		b.Entries = append(b.Entries, BaselineEntries(&first.Findings[i], "today")...)
	}
	p.Baseline = b
	r := mustJudge(t, log, p)
	wantSummary(t, r, Info)
	if len(r.Findings) != len(first.Findings) {
		t.Errorf("%d findings with the baseline, %d without", len(r.Findings), len(first.Findings))
	}
	// Without the entry for loads the spill is not accepted.
	for i, e := range b.Entries {
		if e.Field == FieldSpillLoads && e.Rule == "spill-budget" {
			b.Entries = append(b.Entries[:i:i], b.Entries[i+1:]...)
			break
		}
	}
	if r := mustJudge(t, log, p); r.Worst() != Error {
		t.Errorf("worst is %v, want an error", r.Worst())
	}
}

func TestStaleBaselineEntries(t *testing.T) {
	entry := func(kernel, target string) BaselineEntry {
		return BaselineEntry{Rule: "spill-budget", Kernel: kernel, Arch: target, Field: FieldSpillStores, Value: 8}
	}
	for _, c := range []struct {
		name    string
		entry   BaselineEntry
		partial bool
		want    []string
	}{
		{"gone", entry("gone", "sm_90"), false, []string{"spill-budget k", "stale-exception"}},
		{"gone from a part", entry("gone", "sm_90"), true, []string{"spill-budget k"}},
		{"of an architecture that the log does not have", entry("gone", "sm_80"), false, []string{"spill-budget k"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judgeText(t, spillingLog, &Policy{
				Declarations: []Declaration{noSpills()}, Partial: c.partial,
				Baseline: &Baseline{Entries: []BaselineEntry{c.entry}},
			})
			wantSummary(t, r, Info, c.want...)
		})
	}
}
