package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

func kernelsOf(log *parse.Log) []parse.Kernel {
	var list []parse.Kernel
	for _, k := range log.Kernels() {
		list = append(list, k)
	}
	return list
}

// edited is a log with other kernels. change gets copies.
func edited(log *parse.Log, change func([]parse.Kernel)) *parse.Log {
	list := kernelsOf(log)
	for i := range list {
		class := *list[i].Class
		list[i].Class = &class
	}
	change(list)
	other := &parse.Log{Compilations: log.Compilations, Remarks: log.Remarks, Faults: log.Faults}
	other.Add(list...)
	return other
}

func TestFindingsAreInTotalOrder(t *testing.T) {
	log := readFile(t, "nvcc13.0/bounds-sm_90.log")
	p := &Policy{Declarations: append([]Declaration{noSpills()}, boundsDeclarations()...), ExpectKernels: 100}
	p.Ignores = []Ignore{{Rule: "spill-budget", Match: "lb_*", Reason: "r"}}
	r := mustJudge(t, log, p)
	if r.Findings[0].Rule != untrustedLogID {
		t.Errorf("first is %s, want what makes the log untrusted", r.Findings[0].Rule)
	}
	want := order(r)
	// The same records in another order give the same findings in the same order.
	reversed := edited(log, slices.Reverse[[]parse.Kernel])
	if have := order(mustJudge(t, reversed, p)); !slices.Equal(have, want) {
		t.Errorf("reversed:\n%s\nwant:\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
	last := Error
	suppressed := false
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Suppressed != "" && !suppressed {
			suppressed, last = true, Error
		}
		if f.Severity > last || (f.Suppressed == "") == suppressed {
			t.Errorf("finding %d: %s after %s", i, f.Severity, last)
		}
		last = f.Severity
	}
}

func order(r *Result) []string {
	var list []string
	for i := range r.Findings {
		list = append(list, r.Findings[i].Fingerprint+" "+r.Findings[i].Rule+" "+r.Findings[i].Message)
	}
	return list
}

// Fingerprints survive what changes from build to build, and tell findings
// apart.
func TestFingerprints(t *testing.T) {
	// The log of nvcc 13.0, and what another build makes of the same name.
	const today = "_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf"
	const tomorrow = "_ZN40_GLOBAL__N__7f00ba12_9_basics_cu_scale_c6hiddenEPf"
	p := &Policy{Declarations: []Declaration{{Match: "*::hidden", Registers: Declared[int64](1)}}}
	used := "40 registers, used 0 barriers"
	first := judgeText(t, module+entry(today, "sm_90", used), p).Findings[0]
	moved := judgeText(t, "\n\n\n"+module+entry(tomorrow, "sm_90", used), p).Findings[0]
	if first.Rule != "register-budget" || moved.Rule != "register-budget" {
		t.Fatalf("%s, %s", first.Message, moved.Message)
	}
	if first.Kernel == moved.Kernel {
		t.Fatal("the test changes nothing")
	}
	if first.Fingerprint != moved.Fingerprint {
		t.Errorf("%q has %s, %q has %s", first.Kernel, first.Fingerprint, moved.Kernel, moved.Fingerprint)
	}

	for _, name := range []string{"nvcc13.0/multi-arch.log", "nvcc13.0/basics-sm_90.log", "linked/cloned-callee-11.8.log", "linked/rdc-multiarch-ok-b-11.8.log", "parallel-nvcc12.4/shuffled.log", "nvcc13.0/wgmma.log"} {
		r := mustJudge(t, readFile(t, name), &Policy{Declarations: []Declaration{noSpills()}, Severities: map[string]Severity{"stack-frame": Info}})
		seen := map[string]string{}
		for i := range r.Findings {
			f := &r.Findings[i]
			if other, twice := seen[f.Fingerprint]; twice || len(f.Fingerprint) != 32 {
				t.Errorf("%s: %q and %q have the fingerprint %s", name, f.Message, other, f.Fingerprint)
			}
			seen[f.Fingerprint] = f.Message
		}
	}
}

// The log and the policy are not changed, so that both can be used again.
func TestJudgeChangesNothing(t *testing.T) {
	log := readFile(t, "linked/rdc-multiarch-ok-link-11.8.log")
	log.Append(readFile(t, "linked/rdc-multiarch-ok-a-11.8.log"))
	p := &Policy{Declarations: append([]Declaration{noSpills()}, boundsDeclarations()...), Ignores: []Ignore{{Rule: "spill-budget", Match: "*", Reason: "r"}}}
	kernels, declarations := kernelsOf(log), slices.Clone(p.Declarations)
	var classes []parse.Class
	for i := range kernels {
		classes = append(classes, *kernels[i].Class)
	}
	first := order(mustJudge(t, log, p))
	for i := range kernels {
		if k := log.Kernel(i); kernels[i] != k || classes[i] != *k.Class {
			t.Errorf("kernel %d changed: %+v", i, k)
		}
	}
	for i := range declarations {
		if declarations[i].Origin != p.Declarations[i].Origin {
			t.Errorf("declaration %d changed", i)
		}
	}
	if second := order(mustJudge(t, log, p)); !slices.Equal(first, second) {
		t.Error("the second verdict is another one")
	}
}
