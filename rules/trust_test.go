package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

var goodLog = module + entry("k", "sm_90", "32 registers, used 0 barriers")

func TestUntrustedLogs(t *testing.T) {
	for _, c := range []struct {
		name   string
		log    string
		policy Policy
		want   string // in the message; empty: trusted
	}{
		{"good", goodLog, Policy{}, ""},
		{"empty", "", Policy{}, "states no kernel"},
		{"nothing built", "ninja: no work to do.\n", Policy{}, "states no kernel"},
		{"a module without kernels", module, Policy{}, "has no kernel"},
		{"cut inside a record", module + "ptxas info    : Compiling entry function 'k' for 'sm_90'\n", Policy{}, "cut"},
		{"cut inside a line", goodLog + "ptxas info    : Compi", Policy{}, "cut"},
		{"compiler failed", goodLog + "ptxas fatal   : Ptx assembly aborted due to errors\n", Policy{}, "the build failed"},
		{"source does not compile", goodLog + "a.cu(1): error: identifier \"x\" is undefined\n", Policy{}, "the build failed"},
		{"make failed", goodLog + "make: *** [all] Error 2\n", Policy{}, "the build failed"},
		{"another architecture", goodLog, Policy{Archs: []Judged{{Arch: "sm_80"}}}, "no kernel of sm_80"},
		{"as many kernels as expected", goodLog, Policy{ExpectKernels: 1}, ""},
		{"fewer kernels than expected", goodLog, Policy{ExpectKernels: 3}, "1 kernel, 2 fewer than the 3"},
		{"unknown architecture with blocks", strings.ReplaceAll(goodLog, "sm_90", "sm_130"),
			Policy{Declarations: []Declaration{{Match: "k", LaunchBounds: Declared(Bounds{256, 2})}}}, "sm_130 is not in the table"},
		{"unknown architecture with an occupancy", strings.ReplaceAll(goodLog, "sm_90", "sm_130"),
			Policy{Declarations: []Declaration{{Match: "k", MinOccupancy: Declared(50.0)}}}, "sm_130 is not in the table"},
		{"unknown architecture with a budget", strings.ReplaceAll(goodLog, "sm_90", "sm_130"),
			Policy{Declarations: []Declaration{{Match: "k", Registers: Declared[int64](32)}}}, ""},
		{"barriers are not stated", strings.ReplaceAll(goodLog, ", used 0 barriers", ""),
			Policy{Declarations: []Declaration{{Match: "k", Barriers: Declared[int64](4)}}}, "does not state: named barriers"},
		{"barriers are not stated, their rule is off", strings.ReplaceAll(goodLog, ", used 0 barriers", ""),
			Policy{Declarations: []Declaration{{Match: "k", Barriers: Declared[int64](4)}}, Severities: map[string]Severity{"barrier-budget": Off}}, ""},
		{"barriers of another kernel", strings.ReplaceAll(goodLog, ", used 0 barriers", ""),
			Policy{Declarations: []Declaration{{Match: "j", Barriers: Declared[int64](4)}}}, ""},
		{"spills are not stated",
			"nvlink info    : 0 bytes gmem\nnvlink info    : Function properties for 'k':\nnvlink info    : used 8 registers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem\n",
			Policy{Declarations: []Declaration{noSpills()}}, "does not state: spills"},
		{"a budget for one architecture, and none is stated",
			"nvlink info    : 0 bytes gmem\nnvlink info    : Function properties for 'k':\nnvlink info    : used 8 registers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem\n",
			Policy{Declarations: []Declaration{{Match: "k"}, {Match: "k", Archs: []string{"sm_90"}, Registers: Declared[int64](4)}}}, "for which architecture 1 kernel was compiled"},
		{"bounds above the architecture's blocks", goodLog,
			Policy{Declarations: []Declaration{{Match: "k", LaunchBounds: Declared(Bounds{2048, 0})}}}, ""},
		{"architecture is not stated",
			"nvlink info    : 0 bytes gmem\nnvlink info    : Function properties for 'k':\nnvlink info    : used 8 registers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem\n",
			Policy{Archs: []Judged{{Arch: "sm_90"}}}, "sm_90"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judgeText(t, c.log, &c.policy)
			if r.Trusted() != (c.want == "") {
				t.Errorf("trusted %v: %q", r.Trusted(), summary(r, Info))
			}
			if c.want == "" {
				return
			}
			f := &r.Findings[0]
			if f.Rule != untrustedLogID || f.Severity != Error || !strings.Contains(f.Message, c.want) {
				t.Errorf("first is %s: %s [%s], want %q", f.Severity, f.Message, f.Rule, c.want)
			}
			if f.Help == "" {
				t.Error("it does not say what to do")
			}
		})
	}
}

// A partial log relaxes what a full one must have, and nothing else.
func TestPartialLogs(t *testing.T) {
	for _, c := range []struct {
		name   string
		log    string
		policy Policy
		rule   string
		want   Severity
	}{
		{"empty", "ninja: no work to do.\n", Policy{}, untrustedLogID, Info},
		{"no kernel", module, Policy{}, untrustedLogID, Info},
		{"empty for an architecture", "", Policy{Archs: []Judged{{Arch: "sm_90"}}}, untrustedLogID, Info},
		{"fewer kernels", goodLog, Policy{ExpectKernels: 3}, untrustedLogID, Info},
		{"pattern", goodLog, Policy{Declarations: []Declaration{{Match: "j", Registers: Declared[int64](1)}}}, "unmatched", Info},
		{"architecture", goodLog, Policy{Archs: []Judged{{Arch: "sm_90"}, {Arch: "sm_80"}}}, "unmatched", Info},
		{"no judged architecture", goodLog, Policy{Archs: []Judged{{Arch: "sm_80"}}}, untrustedLogID, Error},
		{"failed", goodLog + "make: *** [all] Error 2\n", Policy{}, untrustedLogID, Error},
		{"failed without a kernel", "make: *** [all] Error 2\n", Policy{}, untrustedLogID, Error},
		{"cut", goodLog + "ptxas info", Policy{}, untrustedLogID, Error},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.policy.Partial = true
			r := judgeText(t, c.log, &c.policy)
			if len(r.Findings) == 0 || r.Findings[0].Rule != c.rule || r.Worst() != c.want {
				t.Errorf("worst is %v in %q, want %v of %s", r.Worst(), summary(r, Info), c.want, c.rule)
			}
		})
	}
}

// What is wrong with records that are not judged does not matter.
func TestFaultsOfOtherArchitectures(t *testing.T) {
	text := goodLog + "ptxas info    : Compiling entry function 'cut' for 'sm_80'\n"
	r := judgeText(t, text, &Policy{Archs: []Judged{{Arch: "sm_90"}}})
	if !r.Trusted() || r.NotJudged != 1 {
		t.Errorf("trusted %v, %d not judged: %q", r.Trusted(), r.NotJudged, summary(r, Info))
	}
	if r = judgeText(t, text, nil); r.Trusted() {
		t.Error("a judged record is cut, and the log is trusted")
	}
}

// Shuffled lines are one finding, not one for each record, and what is certain
// is judged.
func TestInterleavedLog(t *testing.T) {
	r := mustJudge(t, readFile(t, "parallel-nvcc12.4/shuffled.log"), nil)
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Rule == untrustedLogID {
			n++
		}
	}
	if r.Trusted() || n != 1 {
		t.Errorf("trusted %v, %d findings of %s, want 1", r.Trusted(), n, untrustedLogID)
	}
	f := &r.Findings[0]
	// One note says where the mixing begins, one how many more records there are.
	if !strings.Contains(f.Help, "occlint wrap") || len(f.Notes) != shown+2 || !strings.Contains(f.Notes[0], "shuffled.log:7;") {
		t.Errorf("help %q, notes %q", f.Help, f.Notes)
	}
}

// A fault of a kind that this package has no words for is still a fault.
func TestUnknownFault(t *testing.T) {
	log := readLog(t, goodLog)
	log.Faults = append(log.Faults, parse.Fault{Kind: 200, Text: "something new"})
	r := mustJudge(t, log, nil)
	if r.Trusted() || r.Findings[0].Message != "something new" {
		t.Errorf("trusted %v: %q", r.Trusted(), summary(r, Info))
	}
}

// A defect that no fault speaks of is reported from the record itself.
func TestDefectWithoutFault(t *testing.T) {
	for _, defect := range []parse.Defects{parse.Interleaved, parse.Truncated, parse.Conflicting, parse.Unnamed} {
		log := edited(readLog(t, goodLog), func(list []parse.Kernel) { list[0].Defect = defect })
		r := mustJudge(t, log, nil)
		if r.Trusted() || r.NotJudged != 1 {
			t.Errorf("%v: trusted %v, %d not judged", defect, r.Trusted(), r.NotJudged)
		}
	}
	log := edited(readLog(t, goodLog), func(list []parse.Kernel) { list[0].Name = "" })
	if mustJudge(t, log, nil).Trusted() {
		t.Error("a record without a name is trusted")
	}
}

func TestErrorRemarkWithoutFault(t *testing.T) {
	log := readLog(t, goodLog)
	log.Remarks = append(log.Remarks, parse.Remark{Severity: parse.Error, Tool: "nvlink", Text: "Undefined reference to 'f'", Compilation: -1})
	r := mustJudge(t, log, nil)
	if r.Trusted() || !strings.Contains(r.Findings[0].Message, "Undefined reference to 'f'") {
		t.Errorf("trusted %v: %q", r.Trusted(), summary(r, Info))
	}
}

// That the log has nothing of what is to be judged is one finding, not two.
func TestMissingArchsAreToldOnce(t *testing.T) {
	asked := func(archs ...string) *Policy {
		p := &Policy{}
		for _, a := range archs {
			p.Archs = append(p.Archs, Judged{Arch: a})
		}
		return p
	}
	linked := "nvlink info    : 0 bytes gmem\nnvlink info    : Function properties for 'k':\n" +
		"nvlink info    : used 8 registers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem\n"
	for _, c := range []struct {
		name   string
		log    string
		policy *Policy
		want   []string
	}{
		{"the only one", goodLog, asked("sm_80"), []string{"untrusted-log"}},
		{"all of several", goodLog, asked("sm_80", "sm_75"), []string{"untrusted-log"}},
		{"some of several", goodLog, asked("sm_80", "sm_90", "sm_75"), []string{"unmatched", "unmatched"}},
		{"the log names none", linked, asked("sm_90"), []string{"untrusted-log"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judgeText(t, c.log, c.policy)
			var have []string
			for i := range r.Findings {
				if f := &r.Findings[i]; f.Severity == Error && (f.Rule == "unmatched" || strings.Contains(f.Message, "to be judged")) {
					have = append(have, f.Rule)
				}
			}
			if !slices.Equal(have, c.want) {
				t.Errorf("%q, want %q in %q", have, c.want, summary(r, Info))
			}
		})
	}
}
