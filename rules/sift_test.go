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
		if name == "blocks" { // bytes in flight are declared for all, and counted
			if n != 0 {
				t.Errorf("policy %q: %d kernels were sifted out", name, n)
			}
		} else if n < 500 {
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
	log := &parse.Packed{}
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

// siftPlain is a log of whole entries alone, by name and registers; "" is a
// module line and any other text stands as it is.
func siftPlain(entries ...string) string {
	var b strings.Builder
	for _, e := range append(entries, "", "", "", "") {
		name, registers, found := strings.Cut(e, " ")
		switch {
		case e == "":
			b.WriteString("ptxas info    : 0 bytes gmem\n")
		case !found || strings.Contains(e, ":"):
			b.WriteString(e + "\n")
		default:
			b.WriteString("ptxas info    : Compiling entry function '" + name + "' for 'sm_90'\nptxas info    : Function properties for " + name +
				"\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used " + registers + " registers, used 0 barriers\n")
		}
	}
	return b.String()
}

// TestSiftOdd has logs that must be judged as a whole, or in which something
// far away matters to a record.
func TestSiftOdd(t *testing.T) {
	declared := &Policy{Declarations: []Declaration{{Registers: Declared[int64](255)}}}
	for name, tt := range map[string]struct {
		text     string
		more     *parse.Log
		policy   *Policy
		findings int
	}{
		// A linker's module line ends no compilation of ptxas.
		"twins around nvlink":            {text: siftPlain("", "a 32", "x 32", "nvlink info    : 0 bytes gmem", "a 40", "z 32"), policy: &Policy{}, findings: 1},
		"twins around a driver's linker": {text: siftPlain("", "a 32", "x 32", "info    : 0 bytes gmem", "a 40", "z 32"), policy: &Policy{}, findings: 1},
		"twins in one compilation":       {text: siftPlain("", "a 32", "x 32", "a 40", "z 32"), policy: &Policy{}, findings: 1},
		"twins in two compilations":      {text: siftPlain("", "a 32", "x 32", "", "a 40", "z 32"), policy: &Policy{}, findings: 0},
		// A judged record stands where a fault of one that is not judged does.
		"a fault at another's place": {text: siftPlain("", "a 32", "b 32"), more: &parse.Log{
			Kernels: []parse.Kernel{{Name: "bad", Arch: "sm_80", Kind: parse.Entry, Stage: parse.StagePtxas, Defect: parse.Interleaved, Place: parse.Place{File: "log", Line: 2}, Compilation: -1}},
			Faults:  []parse.Fault{{Kind: parse.FaultInterleaved, Text: "x", Kernel: "bad", Place: parse.Place{File: "log", Line: 2}}},
		}, policy: &Policy{Archs: []Judged{{Arch: "sm_90"}}}, findings: 1},
		// A record of no stage makes no compilation of functions a whole one.
		"functions apart": {text: siftPlain("", "a 32", "b 32"), more: &parse.Log{
			Compilations: []parse.Compilation{{Arch: "sm_90", Stage: parse.StagePtxas}},
			Kernels: []parse.Kernel{
				{Name: "f", Arch: "sm_90", Kind: parse.Function, Stage: parse.StagePtxas, StackBytes: parse.Some(0), SpillStoreBytes: parse.Some(0), SpillLoadBytes: parse.Some(0)},
				{Name: "u", Arch: "sm_90", Kind: parse.Entry, Registers: parse.Some(20), StackBytes: parse.Some(0), SpillStoreBytes: parse.Some(0), SpillLoadBytes: parse.Some(0)},
			},
		}, policy: declared, findings: 1},
	} {
		log := &parse.Packed{}
		if err := log.Read(strings.NewReader(tt.text), "log"); err != nil {
			t.Fatal(err)
		}
		if tt.more != nil {
			log.Append(tt.more)
		}
		siftedOf(t, name, log, tt.policy)
		if got, err := Sift(log, tt.policy); err != nil || len(got.Findings) != tt.findings {
			t.Errorf("%s: %v, %+v; want %d findings", name, err, got.Findings, tt.findings)
		}
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
	f.Add(siftPlain("", "a 32", "x 32", "nvlink info    : 0 bytes gmem", "a 40", "z 32"), uint8(0))
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
		log := &parse.Packed{}
		for _, file := range []string{"a", "b"} {
			if err := log.Read(strings.NewReader(text), file); err != nil {
				t.Fatal(err)
			}
		}
		siftedOf(t, "log", log, policies[names[int(policy)%len(names)]])
	})
}
