package compare

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/biglog"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

const ptxas = "../../testdata/ptxas"

func readLog(t *testing.T, files ...string) *parse.Log {
	t.Helper()
	log := &parse.Log{}
	for _, file := range files {
		f, err := os.Open(filepath.Join(ptxas, file))
		if err != nil {
			t.Fatal(err)
		}
		err = log.Read(f, file)
		_ = f.Close()
		if err != nil {
			t.Fatal(err)
		}
	}
	return log
}

func judge(t *testing.T, log *parse.Log, policy *rules.Policy) *rules.Result {
	t.Helper()
	result, err := rules.Judge(log, policy)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// basics.cu under nvcc 12.4 and 13.0, which give the hidden kernel different
// ids. 12.4 prints no barriers. What else differs was read off the two logs:
// slow_path has a smaller stack, named_barriers two registers fewer.
func TestRealToolkits(t *testing.T) {
	before := judge(t, readLog(t, "nvcc12.4/basics-sm_90.log"), &rules.Policy{})
	after := judge(t, readLog(t, "nvcc13.0/basics-sm_90.log"), &rules.Policy{})
	d := Logs(before.Kernels(), after.Kernels(), DefaultThresholds(nil))
	if added, removed := d.Count(Added), d.Count(Removed); added+removed > 0 {
		t.Errorf("%d added and %d removed kernels, want none: the two logs have the same kernels", added, removed)
	}
	var got []string
	for _, p := range d.Pairs {
		for _, c := range p.Changes {
			if c.Known() {
				got = append(got, p.Name+": "+c.Field.String()+" "+c.text("->"))
			}
		}
	}
	want := []string{
		"_Z14named_barriersPf: registers 12 -> 10 (-2)",
		"_Z9slow_pathPd: stack 48 -> 40 (-8)",
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("known changes (-want +got):\n%s", diff)
	}
	if d.OneSided[Barriers] != 14 {
		t.Errorf("barriers are stated on one side for %d kernels, want 14: all entries", d.OneSided[Barriers])
	}
}

// A link of one architecture names none, nor does cuobjdump. The kernels are
// the same all the same: calls_helper has 24 registers either way, and the 14
// kernels of basics.cu have in the binary what ptxas said.
func TestUnknownArch(t *testing.T) {
	for _, test := range []struct {
		old, new string
		entries  int
	}{
		{"nvcc13.0/rdc-a.log", "nvcc13.0/rdc-link.log", 1},
		{"nvcc13.0/basics-sm_90.res", "nvcc13.0/basics-sm_90.log", 14},
		{"nvcc13.0/basics-sm_90.log", "nvcc13.0/basics-sm_90.res", 14},
	} {
		d := Logs(judge(t, readLog(t, test.old), &rules.Policy{}).Kernels(), judge(t, readLog(t, test.new), &rules.Policy{}).Kernels(),
			DefaultThresholds(nil))
		entries := 0
		for _, p := range d.Pairs {
			// cuobjdump does not list the functions that the log has.
			if p.Kind != parse.Function && (p.Status == Removed || p.Status == Added || p.Arch == "") {
				t.Errorf("%s, %s: %s is %v on %q", test.old, test.new, p.Name, p.Status, p.Arch)
			}
			if p.Kind != parse.Function {
				entries++
			}
			for _, c := range p.Changes {
				if c.Known() {
					t.Errorf("%s, %s: %s: %s %s", test.old, test.new, p.Name, c.Field, c.text("->"))
				}
			}
		}
		if entries != test.entries {
			t.Errorf("%s, %s: %d kernels, want %d", test.old, test.new, entries, test.entries)
		}
	}
}

// 256 threads with 64 registers on sm_90: a warp takes 2048 registers, so 8
// warps fit on each of 4 partitions of 16384: 32 of 64 warps, 50 %. With 32
// registers a warp takes 1024: 64 of 64 warps, 100 %.
func TestAssumeThreads(t *testing.T) {
	result := judge(t, readLog(t, "nvcc13.0/bounds-sm_90.log"), &rules.Policy{})
	result.AssumeThreads(256)
	want := map[string]string{"_Z8lb_256_4PKfPfi": "50", "_Z8lb_256_8PKfPfi": "100"}
	got := map[string]string{}
	for _, j := range result.Kernels() {
		if _, ok := want[j.Kernel.Name]; ok {
			got[j.Kernel.Name] = measure(&j)[Occupancy].String()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
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
	policy := func() *rules.Policy { return &rules.Policy{Declarations: []rules.Declaration{StarterDefaults()}} }
	today := read(bigLog(t, 35))
	first := judge(t, today, policy())
	if n := first.Entries; n != 800 {
		t.Fatalf("%d kernels, want 800", n)
	}
	starter := &Starter{Log: "build.log", Result: first, Baseline: ".occlint-baseline.yml"}
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
	if err := WriteBaseline(&file, Accept(first, "as of today", &rules.Baseline{}, false)); err != nil {
		t.Fatal(err)
	}
	base, err := ReadBaseline(".occlint-baseline.yml", file.Bytes())
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
	pruned := Prune(base, judge(t, read(bigLog(t, 10)), policy()), false)
	left := map[string]bool{}
	for _, e := range pruned.Entries {
		left[e.Kernel] = true
	}
	if len(left) != 10 {
		t.Errorf("%d kernels are left in the pruned baseline, want the 10 that still spill", len(left))
	}
}
