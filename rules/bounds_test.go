package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

const logs = "../testdata/ptxas"

func readFile(t testing.TB, name string) *parse.Log {
	t.Helper()
	f, err := os.Open(filepath.Join(logs, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log := &parse.Log{}
	if err := log.Read(f, name); err != nil {
		t.Fatal(err)
	}
	return log
}

// boundsDeclarations are the launch bounds of bounds.cu, from which the
// bounds-*.log were made.
func boundsDeclarations() []Declaration {
	bounds := func(name string, threads, blocks int) Declaration {
		return Declaration{Match: name, LaunchBounds: Declared(Bounds{threads, blocks})}
	}
	return []Declaration{
		bounds("lb_256", 256, 0),
		bounds("lb_256_4", 256, 4),
		bounds("lb_256_8", 256, 8),
		bounds("lb_1024_2", 1024, 2),
		bounds("lb_1024_1", 1024, 1),
		bounds("lb_128_40", 128, 40),
		bounds("lb_1024_4", 1024, 4),
		{Match: "maxnreg_40", MaxRegisters: Declared(40)},
		bounds("smem_bound", 128, 12),
		bounds("reduce_b", 256, 0),
	}
}

// summary lists findings of some severity as "rule kernel", sorted.
func summary(r *Result, least Severity) []string {
	var list []string
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Severity >= least && f.Suppressed == "" {
			list = append(list, strings.TrimSpace(f.Rule+" "+f.Subject))
		}
	}
	slices.Sort(list)
	return list
}

func wantSummary(t *testing.T, r *Result, least Severity, want ...string) {
	t.Helper()
	slices.Sort(want)
	if have := summary(r, least); !slices.Equal(have, want) {
		t.Errorf("findings:\n%s\nwant:\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func find(t *testing.T, r *Result, rule, subject string) *Finding {
	t.Helper()
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == rule && f.Subject == subject {
			return f
		}
	}
	t.Fatalf("no %s for %q in\n%s", rule, subject, strings.Join(summary(r, Info), "\n"))
	return nil
}

func TestBoundsLog(t *testing.T) {
	r := mustJudge(t, readFile(t, "nvcc13.0/bounds-sm_90.log"), &Policy{Declarations: boundsDeclarations()})
	spilling := []string{"lb_256_4", "lb_256_8", "lb_1024_1", "lb_1024_2", "lb_1024_4", "maxnreg_40", "free_300"}
	want := []string{"min-blocks smem_bound", "bounds-ignored lb_1024_4", "bounds-ignored lb_128_40"}
	for _, k := range spilling {
		want = append(want, "capped-and-spilling "+k, "spill-budget "+k)
	}
	wantSummary(t, r, Warning, want...)
	if !r.Trusted() || r.Worst() != Error {
		t.Errorf("trusted %v, worst %v", r.Trusted(), r.Worst())
	}
	f := find(t, r, "min-blocks", "smem_bound")
	// 233472 bytes per SM / (24576 + 1024) = 9.12; 233472 / 12 = 19456 a
	// multiple of 128, less 1024 = 18432.
	if f.Value != 9 || f.Limit != 12 || f.Unit != "blocks" || f.Limiters.String() != "shared" {
		t.Errorf("min-blocks: value %v limit %v %s, limiters %v", f.Value, f.Limit, f.Unit, f.Limiters)
	}
	if want := "18432 bytes of shared memory or fewer would allow 12 blocks"; f.Help != want {
		t.Errorf("help %q, want %q", f.Help, want)
	}
	if want := "limited by shared memory: 24576 + 1024 reserved = 25600 bytes per block, 233472 per SM (36 of 64 warps, 56.3 %)"; f.Notes[0] != want {
		t.Errorf("note %q, want %q", f.Notes[0], want)
	}
	// The cap of a dropped minimum is that of 1024 threads alone: 65536 / 1024.
	caps := map[string]int{
		"lb_256_4": 64, "lb_256_8": 32, "lb_1024_1": 64, "lb_1024_2": 32, "lb_1024_4": 64, "maxnreg_40": 40, "free_300": 255,
	}
	for k, registers := range caps {
		f := find(t, r, "capped-and-spilling", k)
		if want := fmt.Sprintf("%s has a cap of %d registers on sm_90", k, registers); !strings.HasPrefix(f.Message, want) {
			t.Errorf("%q does not start with %q", f.Message, want)
		}
	}
}

// The same log passes once the budgets say what it says.
func TestBoundsLogAccepted(t *testing.T) {
	log := readFile(t, "nvcc13.0/bounds-sm_90.log")
	p := &Policy{Declarations: boundsDeclarations()}
	for _, k := range log.Kernels() {
		p.Declarations = append(p.Declarations, Declaration{
			Match:           k.Name,
			Registers:       Declared(k.Registers.Or(0)),
			SpillStoreBytes: Declared(k.SpillStoreBytes.Or(0)),
			SpillLoadBytes:  Declared(k.SpillLoadBytes.Or(0)),
			StackBytes:      Declared(k.StackBytes.Or(0)),
			SharedBytes:     Declared(k.SharedBytes.Or(0)),
			Barriers:        Declared(k.Barriers.Or(0)),
		})
	}
	p.Declarations = append(p.Declarations, Declaration{Match: "smem_bound", LaunchBounds: Declared(Bounds{128, 9})})
	p.Ignores = []Ignore{
		{Rule: "bounds-ignored", Match: "lb_1024_4", Reason: "written for sm_100"},
		{Rule: "bounds-ignored", Match: "lb_128_40", Reason: "written for sm_100"},
	}
	r := mustJudge(t, log, p)
	wantSummary(t, r, Error)
	if !r.Trusted() {
		t.Error("not trusted")
	}
	if n := r.Count(Warning); n != len([]string{"lb_256_4", "lb_256_8", "lb_1024_1", "lb_1024_2", "lb_1024_4", "maxnreg_40", "free_300"}) {
		t.Errorf("%d warnings, want one capped-and-spilling for each kernel that spills", n)
	}
}

func TestCalleeSpillsOfClonedFunctions(t *testing.T) {
	p := &Policy{Declarations: []Declaration{
		{SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0)},
		{Match: "calls_lb32", LaunchBounds: Declared(Bounds{1024, 2})},
		{Match: "calls_lb64", LaunchBounds: Declared(Bounds{256, 4})},
	}}
	r := mustJudge(t, readFile(t, "linked/cloned-callee-11.8.log"), p)
	have := map[string]string{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rule == "callee-spill" {
			have[f.Parent] = fmt.Sprintf("%s %s %v %v", f.Severity, f.Subject, f.Measures[0].Value, f.Measures[1].Value)
		}
	}
	want := map[string]string{
		"calls_rec":  "error rec 68 68",
		"calls_lb64": "error heavy 220 248",
		"calls_lb32": "error heavy 1212 1292",
	}
	if len(have) != len(want) {
		t.Errorf("have %v, want %v", have, want)
	}
	for k, w := range want {
		if have[k] != w {
			t.Errorf("%s: have %q, want %q", k, have[k], w)
		}
	}
	find(t, r, "capped-and-spilling", "calls_lb32")
	find(t, r, "capped-and-spilling", "calls_lb64")
	find(t, r, "compiler-remark", "calls_rec")
}

func TestNoPolicyStillJudges(t *testing.T) {
	r := mustJudge(t, readFile(t, "nvcc13.0/bounds-sm_90.log"), nil)
	wantSummary(t, r, Error, "bounds-ignored lb_1024_4", "bounds-ignored lb_128_40")
	wantSummary(t, r, Warning,
		"bounds-ignored lb_1024_4", "bounds-ignored lb_128_40",
		"spill-budget lb_256_4", "spill-budget lb_256_8", "spill-budget lb_1024_1", "spill-budget lb_1024_2",
		"spill-budget lb_1024_4", "spill-budget maxnreg_40", "spill-budget free_300",
		"capped-and-spilling free_300")
}
