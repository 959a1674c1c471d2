package starter

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	saxpyFloat  = "_ZN3lin5saxpyIfEEviT_PKS1_PS1_"
	saxpyDouble = "_ZN3lin5saxpyIdEEviT_PKS1_PS1_"
	hidden13    = "_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf"
)

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
	}
}

func kernel(name, arch string, registers, stores, loads int64, change ...func(*rules.Judgement)) rules.Judgement {
	j := rules.Judgement{Compiled: -1, Kernel: parse.Kernel{Name: name, Class: &parse.Class{
		Arch: arch, Kind: parse.Entry, Stage: parse.StagePtxas,
		Registers:       parse.Some(registers),
		StackBytes:      parse.Some(0),
		SpillStoreBytes: parse.Some(stores),
		SpillLoadBytes:  parse.Some(loads),
	}}}
	for _, c := range change {
		c(&j)
	}
	return j
}

func function(parent string) func(*rules.Judgement) {
	return func(j *rules.Judgement) {
		j.Kernel.Kind, j.Kernel.Parent, j.Kernel.Registers = parse.Function, parent, parse.Some(-1)
	}
}

func spills(kernel, arch string, stores, loads float64) rules.Finding {
	return rules.Finding{
		Rule: "spill-budget", Severity: rules.Error, Kernel: kernel, Arch: arch, Field: "spill_stores", Value: stores,
		Measures: []rules.Measure{{Field: "spill_stores", Value: stores}, {Field: "spill_loads", Value: loads}},
	}
}
