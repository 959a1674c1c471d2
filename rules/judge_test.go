package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// judgedOf judges a log as it is and kernel by kernel, and fails where the two
// differ.
func judgedOf(t *testing.T, what string, log *parse.Log, p *Policy) *Result {
	t.Helper()
	want, err := judgeLog(log, p, true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Judge(log, p)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(want.Findings, got.Findings) {
		t.Errorf("%s (-each by itself +judged):\n%.3000s", what, cmp.Diff(want.Findings, got.Findings))
	}
	if want.Judged != got.Judged || want.NotJudged != got.NotJudged || !slices.Equal(want.Archs, got.Archs) || want.Entries != got.Entries {
		t.Errorf("%s: %d judged, %d not, on %q, %d entries; want %d, %d, %q, %d", what,
			got.Judged, got.NotJudged, got.Archs, got.Entries, want.Judged, want.NotJudged, want.Archs, want.Entries)
	}
	return got
}

// oddLog has what the sieve must see: a function that spills and one that
// does not, each behind its kernel, a remark, one kernel on two architectures
// and twice in one compilation.
const oddLog = `ptxas warning : Value of minnctapersm for entry _Z1aPf is out of range. minnctapersm will be ignored
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

// plainLog is a log of whole entries alone, by name and registers; "" is a
// module line and any other text stands as it is.
func plainLog(entries ...string) string {
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

func logOf(log parse.Log, kernels ...parse.Kernel) *parse.Log {
	log.Add(kernels...)
	return &log
}

// TestJudgeOdd has logs that must be judged as a whole, or in which something
// far away matters to a record.
func TestJudgeOdd(t *testing.T) {
	declared := &Policy{Declarations: []Declaration{{Registers: Declared[int64](255)}}}
	for name, tt := range map[string]struct {
		text     string
		more     *parse.Log
		policy   *Policy
		findings int
	}{
		// A linker's module line ends no compilation of ptxas.
		"twins around nvlink":            {text: plainLog("", "a 32", "x 32", "nvlink info    : 0 bytes gmem", "a 40", "z 32"), policy: &Policy{}, findings: 1},
		"twins around a driver's linker": {text: plainLog("", "a 32", "x 32", "info    : 0 bytes gmem", "a 40", "z 32"), policy: &Policy{}, findings: 1},
		"twins in one compilation":       {text: plainLog("", "a 32", "x 32", "a 40", "z 32"), policy: &Policy{}, findings: 1},
		"twins in two compilations":      {text: plainLog("", "a 32", "x 32", "", "a 40", "z 32"), policy: &Policy{}, findings: 0},
		// A judged record stands where a fault of one that is not judged does.
		"a fault at another's place": {text: plainLog("", "a 32", "b 32"), more: logOf(parse.Log{
			Faults: []parse.Fault{{Kind: parse.FaultInterleaved, Text: "x", Kernel: "bad", Place: parse.Place{File: "log", Line: 2}}},
		}, parse.Kernel{
			Name: "bad", Place: parse.Place{File: "log", Line: 2}, Compilation: -1,
			Class: &parse.Class{Arch: "sm_80", Kind: parse.Entry, Stage: parse.StagePtxas, Defect: parse.Interleaved},
		}), policy: &Policy{Archs: []Judged{{Arch: "sm_90"}}}, findings: 1},
		// A record of no stage makes no compilation of functions a whole one.
		"functions apart": {text: plainLog("", "a 32", "b 32"), more: logOf(parse.Log{
			Compilations: []parse.Compilation{{Arch: "sm_90", Stage: parse.StagePtxas}},
		},
			parse.Kernel{Name: "f", Class: &parse.Class{Arch: "sm_90", Kind: parse.Function, Stage: parse.StagePtxas, StackBytes: parse.Some(0), SpillStoreBytes: parse.Some(0), SpillLoadBytes: parse.Some(0)}},
			parse.Kernel{Name: "u", Class: &parse.Class{Arch: "sm_90", Kind: parse.Entry, Registers: parse.Some(20), StackBytes: parse.Some(0), SpillStoreBytes: parse.Some(0), SpillLoadBytes: parse.Some(0)}},
		), policy: declared, findings: 1},
	} {
		log := &parse.Log{}
		if err := log.Read(strings.NewReader(tt.text), "log"); err != nil {
			t.Fatal(err)
		}
		if tt.more != nil {
			log.Append(tt.more)
		}
		if got := judgedOf(t, name, log, tt.policy); len(got.Findings) != tt.findings {
			t.Errorf("%s: %+v; want %d findings", name, got.Findings, tt.findings)
		}
	}
}

// TestRuleOnAnyNumber has a rule on a number that no rule of the registry reads:
// it speaks of the kernel that breaks it, wherever that stands, also behind one
// with the same other numbers.
func TestRuleOnAnyNumber(t *testing.T) {
	rule := &Rule{ID: "const-budget", Default: Error, Kernel: func(u *Subject) {
		if n, stated := u.ConstBytes.Bytes(0); stated && n > 400 {
			u.Report(Finding{Message: fmt.Sprintf("uses %d bytes of constant memory", n)})
		}
	}}
	record := func(name string, bytes int) string {
		return strings.Replace(plainLog(name+" 32"), "used 0 barriers", fmt.Sprintf("used 0 barriers, %d bytes cmem[0]", bytes), 1)
	}
	p := &Policy{Rules: []*Rule{rule}}
	for _, text := range []string{record("alone", 408), record("before", 376) + record("alone", 408), record("alone", 408) + record("behind", 376)} {
		got := judgeText(t, text, p)
		if len(got.Findings) != 1 || got.Findings[0].Message != "alone uses 408 bytes of constant memory" || got.Worst() != Error {
			t.Errorf("%d kernels: %+v", got.Judged, got.Findings)
		}
	}
	p.Rules = append(p.Rules, &Rule{ID: "min-blocks"})
	if _, err := Judge(&parse.Log{}, p); err == nil {
		t.Error("two rules of one id")
	}
}

// TestRuleOnTotals has a rule on the log as a whole: it counts all kernels, also
// those of which no other rule has anything to say.
func TestRuleOnTotals(t *testing.T) {
	rule := &Rule{ID: "mean-registers", Default: Warning, Log: func(t *Totals) {
		kernels, registers := 0, int64(0)
		for u, n := range t.Subjects() {
			if !u.IsFunction() {
				kernels, registers = kernels+n, registers+int64(n)*u.Registers.Or(0)
			}
		}
		t.Report(Finding{Message: fmt.Sprintf("%d kernels have %d registers", kernels, registers)})
	}}
	log := readLog(t, plainLog("", "a 32", "b 32", "", "a 40", "c 24", "d 32"))
	for _, singly := range []bool{true, false} {
		got, err := judgeLog(log, &Policy{Rules: []*Rule{rule}}, singly)
		// 32 + 32 + 40 + 24 + 32
		if err != nil || len(got.Findings) != 1 || got.Findings[0].Message != "5 kernels have 160 registers" {
			t.Errorf("singly %v: %v, %+v", singly, err, got.Findings)
		}
	}
}

// FuzzAlike does what TestAlikeKernels does with text that nobody wrote.
func FuzzAlike(f *testing.F) {
	f.Add(oddLog, uint8(0))
	f.Add(strings.ReplaceAll(oddLog, "sm_80", "sm_999"), uint8(2))
	f.Add(strings.ReplaceAll(oddLog, "ptxas info    : 0 bytes gmem\n", ""), uint8(1))
	f.Add(strings.ReplaceAll(oddLog, "_Z1dPf", "_Z1aPf"), uint8(3))
	f.Add(strings.ReplaceAll(oddLog, "spills", "quiet"), uint8(3))
	f.Add(strings.ReplaceAll(oddLog, "'_Z1cPf' for 'sm_90'", "'_Z1cPf' for 'sm_80'"), uint8(2))
	f.Add(plainLog("", "a 32", "x 32", "nvlink info    : 0 bytes gmem", "a 40", "z 32"), uint8(0))
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
		log := &parse.Log{}
		for _, file := range []string{"a", "b"} {
			if err := log.Read(strings.NewReader(text), file); err != nil {
				t.Fatal(err)
			}
		}
		judgedOf(t, "log", log, policies[names[int(policy)%len(names)]])
	})
}
