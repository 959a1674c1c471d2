package rules

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// siftedOf judges a log by sifting it and by listing all of it, and fails
// where the two differ. It returns how many kernels were not listed.
func siftedOf(t *testing.T, what string, log *parse.Packed, p *Policy) int {
	t.Helper()
	want, err := Judge(log.Log(), p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Sift(log, p)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want.Findings, got.Findings) {
		t.Errorf("%s (-listed +sifted):\n%.3000s", what, cmp.Diff(want.Findings, got.Findings))
	}
	if want.Judged != got.Judged || want.NotJudged != got.NotJudged || !slices.Equal(want.Archs, got.Archs) || want.Entries() != got.Entries() {
		t.Errorf("%s: %d judged, %d not, on %q, %d entries; want %d, %d, %q, %d", what,
			got.Judged, got.NotJudged, got.Archs, got.Entries(), want.Judged, want.NotJudged, want.Archs, want.Entries())
	}
	if want.Judged != len(want.Kernels) {
		t.Errorf("%s: %d judged and %d listed", what, want.Judged, len(want.Kernels))
	}
	return got.Judged - len(got.Kernels)
}

// TestSift judges real logs as they are listed and as they are sifted.
func TestSift(t *testing.T) {
	unlisted := map[string]int{}
	for name, p := range alikePolicies() {
		for file, log := range realLogs(t) {
			unlisted[name] += siftedOf(t, file+", policy "+name, log, p)
		}
	}
	for name, n := range unlisted {
		if n < 500 && name != "blocks" { // which has bytes in flight for all
			t.Errorf("policy %q: %d kernels were sifted out of all logs", name, n)
		}
	}
}

// siftLog has what the sieve must see: a function that spills and one that
// does not, each behind its kernel, a remark, one kernel on two architectures
// and twice in one compilation.
const siftLog = `ptxas warning : Value of minnctapersm for entry _Z1aPf is out of range. minnctapersm will be ignored
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'
ptxas info    : Function properties for _Z1aPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
ptxas info    : Function properties for quiet
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function '_Z1bPf' for 'sm_90'
ptxas info    : Function properties for _Z1bPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers
ptxas info    : Compile time = 1.500 ms
ptxas info    : Function properties for spills
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Compiling entry function '_Z1cPf' for 'sm_90'
ptxas info    : Function properties for _Z1cPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for _Z1aPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 352 bytes cmem[0]
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for _Z1aPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 9 registers, 352 bytes cmem[0]
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1cPf' for 'sm_80'
ptxas info    : Function properties for _Z1cPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 352 bytes cmem[0]
ptxas info    : Compiling entry function '_Z1dPf' for 'sm_80'
ptxas info    : Function properties for _Z1dPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 352 bytes cmem[0]
ptxas info    : 0 bytes gmem
ptxas info    : 0 bytes gmem
ptxas info    : 0 bytes gmem
ptxas info    : 0 bytes gmem
`

// TestSiftKeeps says which kernels of siftLog may matter to some rule: a on
// sm_90 has a remark, a on sm_80 contradicts itself, b is the kernel of a
// function that spills. quiet, c and d are nobody's business.
func TestSiftKeeps(t *testing.T) {
	log := parse.NewPacked()
	if err := log.Read(strings.NewReader(siftLog), "log"); err != nil {
		t.Fatal(err)
	}
	p := &Policy{Declarations: []Declaration{noSpills()}}
	if n := siftedOf(t, "siftLog", log, p); n != 4 {
		t.Errorf("%d kernels were sifted out, want quiet, c twice and d", n)
	}
	got, err := Sift(log, p)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, k := range got.Kernels {
		kept = append(kept, k.Kernel.Name+" "+k.Kernel.Arch)
	}
	want := []string{"_Z1aPf sm_90", "_Z1bPf sm_90", "spills sm_90", "_Z1aPf sm_80", "_Z1aPf sm_80"}
	if !slices.Equal(kept, want) {
		t.Errorf("kept %q, want %q", kept, want)
	}
	if got.Entries() != 6 { // a, b, c on sm_90; a, c, d on sm_80
		t.Errorf("%d entries, want 6", got.Entries())
	}
}

// FuzzSift does what TestSift does with text that nobody wrote.
func FuzzSift(f *testing.F) {
	f.Add(siftLog, uint8(0))
	f.Add(strings.ReplaceAll(siftLog, "sm_80", "sm_999"), uint8(2))
	f.Add(strings.ReplaceAll(siftLog, "ptxas info    : 0 bytes gmem\n", ""), uint8(1))
	f.Add(strings.ReplaceAll(siftLog, "_Z1dPf", "_Z1aPf"), uint8(3))
	f.Add(strings.ReplaceAll(siftLog, "spills", "quiet"), uint8(3))
	f.Add(strings.ReplaceAll(siftLog, "'_Z1cPf' for 'sm_90'", "'_Z1cPf' for 'sm_80'"), uint8(2))
	policies := alikePolicies()
	names := make([]string, 0, len(policies))
	for name := range policies {
		names = append(names, name)
	}
	slices.Sort(names)
	f.Fuzz(func(t *testing.T, text string, policy uint8) {
		if len(text) > 1<<16 {
			return
		}
		log := parse.NewPacked()
		for _, file := range []string{"a", "b"} {
			if err := log.Read(strings.NewReader(text), file); err != nil {
				t.Fatal(err)
			}
		}
		siftedOf(t, "log", log, policies[names[int(policy)%len(names)]])
	})
}
