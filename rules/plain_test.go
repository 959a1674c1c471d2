package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// plainBudgets is what budgets find of the entries of a log, by a loop over all
// of them that shares nothing with Judge: each entry has the numbers of its own
// record, and of what is declared the last that matches it counts.
func plainBudgets(t *testing.T, log *parse.Log, p *Policy) []string {
	patterns := make([]*name.Pattern, len(p.Declarations))
	for i, d := range p.Declarations {
		if d.Match == "" {
			continue
		}
		var err error
		if patterns[i], err = name.CompilePattern(d.Match); err != nil {
			t.Fatal(err)
		}
	}
	found := map[string]bool{}
	for _, k := range log.Kernels() {
		if k.Kind != parse.Entry || k.Defect != 0 || k.Name == "" {
			continue
		}
		var registers, stack, shared, barriers, stores, loads, dynamic Field[int64]
		for i, d := range p.Declarations {
			if patterns[i] != nil && !patterns[i].Match(k.Name) || len(d.Archs) > 0 && !slices.Contains(d.Archs, strings.TrimRight(k.Arch, "af")) {
				continue
			}
			for _, f := range [...]struct{ to, from *Field[int64] }{
				{&registers, &d.Registers}, {&stack, &d.StackBytes}, {&shared, &d.SharedBytes}, {&barriers, &d.Barriers},
				{&stores, &d.SpillStoreBytes}, {&loads, &d.SpillLoadBytes}, {&dynamic, &d.DynamicShared},
			} {
				if f.from.Set {
					*f.to = *f.from
				}
			}
		}
		over := func(rule string, n int64, limit Field[int64]) {
			if limit.Set && n > limit.Value {
				found[fmt.Sprintf("%s: %s on %s has %d of %d", rule, k.Name, k.Arch, n, limit.Value)] = true
			}
		}
		over("register-budget", k.Registers.Or(0), registers)
		over("stack-budget", max(k.StackBytes.Or(0), k.CumulativeStackBytes.Or(0)), stack)
		over("shared-budget", k.SharedBytes.Or(0)+dynamic.Value, shared)
		over("barrier-budget", k.Barriers.Or(0), barriers)
		over("spill stores", k.SpillStoreBytes.Or(0), stores)
		over("spill loads", k.SpillLoadBytes.Or(0), loads)
	}
	return slices.Sorted(maps.Keys(found))
}

// judgedBudgets is the same of a result.
func judgedBudgets(log *parse.Log, r *Result) []string {
	entries := map[string]bool{}
	for _, k := range log.Kernels() {
		if k.Kind == parse.Entry {
			entries[k.Name+" "+k.Arch] = true
		}
	}
	found := map[string]bool{}
	for _, f := range r.Findings {
		if !entries[f.Kernel+" "+f.Arch] || f.Parent != "" {
			continue
		}
		add := func(rule string, n, limit float64) {
			found[fmt.Sprintf("%s: %s on %s has %.0f of %.0f", rule, f.Kernel, f.Arch, n, limit)] = true
		}
		switch f.Rule {
		case "register-budget", "stack-budget", "shared-budget", "barrier-budget":
			add(f.Rule, f.Value, f.Limit)
		case "spill-budget":
			for _, m := range f.Measures {
				if m.Value > m.Limit && !m.Unlimited {
					add(strings.ReplaceAll(m.Field, "_", " "), m.Value, m.Limit)
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// TestPlainLoop holds the budgets of Judge against the plain loop, on all logs
// that no linker wrote in: there each record counts for itself.
func TestPlainLoop(t *testing.T) {
	logs := realLogs(t)
	logs["odd"] = readLog(t, oddLog)
	compared := 0
	for file, log := range logs {
		linked := false
		for _, k := range log.Kernels() {
			linked = linked || k.Stage != parse.StagePtxas
		}
		if linked {
			continue
		}
		for policy, p := range alikePolicies() {
			if len(p.Archs) > 0 {
				continue
			}
			want, got := plainBudgets(t, log, p), judgedBudgets(log, mustJudge(t, log, p))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, policy %q (-plain loop +Judge):\n%.1500s", file, policy, diff)
			}
			compared += len(want)
		}
	}
	if compared < 1000 && !testing.Short() {
		t.Errorf("only %d findings were compared", compared)
	}
	t.Logf("%d findings in %d logs", compared, len(logs))
}
