package compare

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
