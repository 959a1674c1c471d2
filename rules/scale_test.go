package rules

import (
	"fmt"
	"testing"
	"time"

	"github.com/occlint/occlint/parse"
)

// repeated is a log of n records, as a hostile or a very large build writes it.
func repeated(n int, name func(i int) string, arch func(i int) string) *parse.Log {
	log := &parse.Log{}
	var list []parse.Kernel
	for i := range n {
		k, a := name(i), arch(i)
		log.Compilations = append(log.Compilations, parse.Compilation{Index: i, Arch: a, Stage: parse.StagePtxas})
		list = append(list, parse.Kernel{Name: k, Compilation: i, Place: parse.Place{File: "log", Line: i + 1}, Class: &parse.Class{
			Arch: a, Kind: parse.Entry, Stage: parse.StagePtxas,
			Registers: parse.Some(32), StackBytes: parse.Some(0), SpillStoreBytes: parse.Some(0), SpillLoadBytes: parse.Some(0),
		}}, parse.Kernel{Name: "_Z1fv", Parent: k, Compilation: i, Place: parse.Place{File: "log", Line: i + 1}, Class: &parse.Class{
			Arch: a, Kind: parse.Function, Stage: parse.StagePtxas,
			StackBytes: parse.Some(0), SpillStoreBytes: parse.Some(0), SpillLoadBytes: parse.Some(0),
		}})
		log.Remarks = append(log.Remarks, parse.Remark{
			Severity: parse.Warning, Tool: "ptxas", Kernel: k, Arch: a, Compilation: i,
			Text: "Value of threads per SM for entry k is out of range. .minnctapersm will be ignored",
		}, parse.Remark{
			Severity: parse.Warning, Tool: "ptxas", Kernel: k, Compilation: -1, Text: fmt.Sprintf("something %d", i%100),
		})
	}
	log.Add(list...)
	return log
}

// Whatever a log repeats, twice the log is about twice the work.
func TestWorkIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	one := func(s string) func(int) string { return func(int) string { return s } }
	numbered := func(s string) func(int) string { return func(i int) string { return fmt.Sprint(s, i) } }
	for _, c := range []struct {
		what       string
		name, arch func(int) string
	}{
		{"one kernel", one("k"), one("sm_90")},
		{"many kernels", numbered("_Z1kPf"), one("sm_90")},
		{"many architectures", one("k"), numbered("sm_1")},
	} {
		p := &Policy{
			Archs:        []Judged{{Arch: "sm_90"}, {Arch: "sm_80"}},
			Declarations: []Declaration{noSpills(), {Match: "k*", LaunchBounds: Declared(Bounds{256, 4})}},
			Ignores:      []Ignore{{Rule: "bounds-ignored", Match: "k", Archs: []string{"sm_86"}, Reason: "r"}},
			Baseline:     &Baseline{},
		}
		for i := range 100 {
			p.Declarations = append(p.Declarations, Declaration{Match: fmt.Sprintf("ns::gemm%d<*>", i), Registers: Declared[int64](64)})
			p.Baseline.Entries = append(p.Baseline.Entries, BaselineEntry{Rule: "spill-budget", Kernel: "k", Arch: fmt.Sprint("sm_2", i), Field: FieldSpillStores})
		}
		cost := func(n int) time.Duration {
			log := repeated(n, c.name, c.arch)
			start := time.Now()
			mustJudge(t, log, p)
			return time.Since(start)
		}
		small, large := min(cost(500), cost(500), cost(500)), cost(16000)
		// 32 times the log: quadratic work would be a factor of 1024, however
		// often it is done. The rest is for a machine that does other things as
		// well.
		slow := func() bool { return large > 200*small+2*time.Second }
		for range 3 {
			if slow() {
				large = min(large, cost(16000))
			}
		}
		if slow() {
			t.Errorf("%s: %v for 500 records and %v for 16000", c.what, small, large)
		}
		t.Logf("%s: %v for 500 records and %v for 16000", c.what, small, large)
	}
}

func BenchmarkJudge(b *testing.B) {
	log := repeated(10000, func(i int) string { return fmt.Sprint("_Z5gemm_", i, "PKfPfi") }, func(int) string { return "sm_90" })
	log.Remarks = nil
	p := &Policy{Declarations: []Declaration{noSpills(), {Match: "gemm_*", LaunchBounds: Declared(Bounds{256, 4})}}}
	b.ReportAllocs()
	for b.Loop() {
		mustJudge(b, log, p)
	}
	b.ReportMetric(float64(b.N)*float64(log.Len())/b.Elapsed().Seconds(), "kernels/s")
}
