package starter

import (
	"bytes"
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/biglog"
	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

const ptxas = "../../testdata/ptxas"

func judge(t *testing.T, log *parse.Log, policy *rules.Policy) *rules.Result {
	t.Helper()
	result, err := rules.Judge(log, policy)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func bigLog(t *testing.T, spilling int) string {
	t.Helper()
	text, err := biglog.Project(ptxas, spilling)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A code base with 800 kernels of which 35 spill: what init declares and what
// the baseline accepts are green together; one more spill is red, and so is a
// worse one.
func TestAdoption(t *testing.T) {
	read := func(text string) *parse.Log {
		log := &parse.Log{}
		if err := log.Read(strings.NewReader(text), "build.log"); err != nil {
			t.Fatal(err)
		}
		return log
	}
	policy := func() *rules.Policy { return &rules.Policy{Declarations: []rules.Declaration{Defaults()}} }
	today := read(bigLog(t, 35))
	first := judge(t, today, policy())
	if n := first.Entries; n != 800 {
		t.Fatalf("%d kernels, want 800", n)
	}
	starter := &Config{Log: "build.log", Result: first, Baseline: ".occlint-baseline.yml"}
	if !starter.NeedsBaseline() {
		t.Error("35 kernels spill and no baseline is asked for")
	}
	var config, file bytes.Buffer
	if err := starter.Write(&config); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(config.String(), "- match: "); n != 100 {
		t.Errorf("%d entries in the config, want one for each of 100 families", n)
	}
	if err := compare.WriteBaseline(&file, compare.Accept(first, "as of today", &rules.Baseline{}, false)); err != nil {
		t.Fatal(err)
	}
	base, err := compare.ReadBaseline(".occlint-baseline.yml", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		log  string
		want int // errors
	}{
		{"today", bigLog(t, 35), 0},
		{"one more kernel spills", bigLog(t, 36), 1},
		{"one spills more", strings.Replace(bigLog(t, 35), "1000 bytes spill stores", "1004 bytes spill stores", 1), 1},
		{"all better", bigLog(t, 0), 0},
	} {
		p := policy()
		p.Baseline = base
		result := judge(t, read(test.log), p)
		if got := result.Count(rules.Error); got != test.want {
			t.Errorf("%s: %d errors, want %d: %+v", test.name, got, test.want, result.Findings[:min(3, len(result.Findings))])
		}
	}
	pruned := compare.Prune(base, judge(t, read(bigLog(t, 10)), policy()), false)
	left := map[string]bool{}
	for _, e := range pruned.Entries {
		left[e.Kernel] = true
	}
	if len(left) != 10 {
		t.Errorf("%d kernels are left in the pruned baseline, want the 10 that still spill", len(left))
	}
}
