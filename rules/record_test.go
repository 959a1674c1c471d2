package rules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// entry writes one kernel's record as ptxas 13.0 prints it.
func entry(name, target, used string) string {
	return frame(name, target, used, 0, 0, 0)
}

func frame(name, target, used string, stack, stores, loads int) string {
	return fmt.Sprintf(`ptxas info    : Compiling entry function '%s' for '%s'
ptxas info    : Function properties for %s
    %d bytes stack frame, %d bytes spill stores, %d bytes spill loads
ptxas info    : Used %s
`, name, target, name, stack, stores, loads, used)
}

const module = "ptxas info    : 0 bytes gmem\n"

// judgeText judges a log that is written in the test.
func judgeText(t *testing.T, text string, p *Policy) *Result {
	t.Helper()
	return mustJudge(t, readLog(t, text), p)
}

func judgement(t *testing.T, r *Result, name, target string) *Judgement {
	t.Helper()
	for _, j := range r.Kernels() {
		if k := &j.Kernel; k.Name == name && k.Arch == target {
			return &j
		}
	}
	t.Fatalf("no judgement of %s for %q", name, target)
	return nil
}

// With -rdc the linker's record counts: its registers include the callees',
// and its shared memory the reserved 1 KiB from sm_90 on. The spills are the
// compiler's.
func TestLinkedKernels(t *testing.T) {
	log := &parse.Log{}
	log.Append(readFile(t, "linked/rdc-multiarch-ok-a-11.8.log"))
	log.Append(readFile(t, "linked/rdc-multiarch-ok-link-11.8.log"))
	budget := func(name string, registers, shared int64) Declaration {
		return Declaration{Match: name, Registers: Declared(registers), SharedBytes: Declared(shared)}
	}
	r := mustJudge(t, log, &Policy{
		Archs: []Judged{{Arch: "sm_80"}, {Arch: "sm_90"}},
		Declarations: []Declaration{
			{SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0)},
			budget("calls_free", 170, 0),
			budget("plain", 10, 1024),
		},
	})
	if r.Judged != 8 || r.Entries != 8 {
		t.Errorf("%d judgements, %d entries; want 4 kernels for each of 2 architectures", r.Judged, r.Entries)
	}
	k := judgement(t, r, "calls_free", "sm_90")
	if k.Kernel.Registers != parse.Some(171) || k.Kernel.SpillStoreBytes != parse.Some(0) || k.Compiled < 0 || k.Record.Stage != parse.StageNvlink {
		t.Errorf("calls_free: %+v", k.Kernel)
	}
	if got := judgement(t, r, "plain", "sm_90").SharedBytes; got != 1024 {
		t.Errorf("plain on sm_90 has %d bytes of its own, want 2048 - 1024", got)
	}
	if got := judgement(t, r, "plain", "sm_80").SharedBytes; got != 1024 {
		t.Errorf("plain on sm_80 has %d bytes of its own, want 1024", got)
	}
	wantSummary(t, r, Error, "register-budget calls_free", "register-budget calls_free")
	f := find(t, r, "register-budget", "calls_free")
	if f.Value != 171 || f.Limit != 170 || f.Log.Line == 0 || !strings.Contains(f.Log.File, "link") {
		t.Errorf("%+v", f)
	}
}

// The linker names no architecture where it links a single one: the kernels
// that it shares with the compiler tell.
func TestArchOfALinkWithoutTarget(t *testing.T) {
	compiled := module + entry("calls_free", "sm_90", "24 registers") + entry("plain", "sm_90", "10 registers, 1024 bytes smem")
	log := readLog(t, compiled)
	log.Append(readFile(t, "linked/rdc-onearch-ok-link-11.8.log"))
	r := mustJudge(t, log, &Policy{Archs: []Judged{{Arch: "sm_90"}}})
	if k := judgement(t, r, "calls_free", "sm_90"); k.Kernel.Registers != parse.Some(171) {
		t.Errorf("calls_free has %v registers, want the linker's 171", k.Kernel.Registers)
	}
	if k := judgement(t, r, "nosm", "sm_90"); k.Kernel.Registers != parse.Some(8) {
		t.Errorf("nosm, which is in the link alone, has %v registers, want 8", k.Kernel.Registers)
	}
	if !r.Trusted() || len(r.Archs) != 1 {
		t.Errorf("trusted %v, archs %v", r.Trusted(), r.Archs)
	}

	// Compiled for two architectures, it could be either.
	log = readLog(t, compiled+module+strings.ReplaceAll(entry("calls_free", "sm_80", "24 registers")+entry("plain", "sm_80", "10 registers, 1024 bytes smem"), "sm_90", "sm_80"))
	log.Append(readFile(t, "linked/rdc-onearch-ok-link-11.8.log"))
	r = mustJudge(t, log, nil)
	judgement(t, r, "calls_free", "")
	r = mustJudge(t, log, &Policy{Declarations: []Declaration{{Match: "calls_free", LaunchBounds: Declared(Bounds{256, 2})}}})
	if r.Trusted() {
		t.Error("blocks are declared for a kernel whose architecture nobody knows, and the log is trusted")
	}
}

func TestCovers(t *testing.T) {
	table := arch.Builtin()
	for _, c := range []struct {
		asked, have string
		want        bool
	}{
		{"sm_90", "sm_90", true},
		{"sm_90", "sm_90a", true},
		{"sm_90a", "sm_90", false},
		{"sm_90a", "sm_90a", true},
		{"sm_100a", "sm_100f", false},
		{"compute_90", "sm_90a", true},
		{"9.0", "sm_90", true},
		{"sm_101", "sm_110", true}, // renamed
		{"sm_110", "sm_101a", true},
		{"sm_9", "sm_90", false},
		{"sm_90", "sm_80", false},
		{"sm_130", "sm_130a", true}, // not in the table
		{"sm_90", "", false},
	} {
		if got := covers(table, c.asked, c.have); got != c.want {
			t.Errorf("%s covers %s: %v, want %v", c.asked, c.have, got, c.want)
		}
	}
}

// One kernel in two compilations with other numbers is two builds of it; in
// one compilation it contradicts itself.
func TestConflictingRecords(t *testing.T) {
	a, b := entry("k", "sm_90", "32 registers, used 0 barriers"), entry("k", "sm_90", "40 registers, used 0 barriers")
	p := &Policy{Declarations: []Declaration{{Match: "k", Registers: Declared[int64](30)}}}
	r := judgeText(t, module+a+module+b, p)
	if !r.Trusted() {
		t.Errorf("not trusted: %v", r.Findings[0].Message)
	}
	// One finding: the worst of both.
	wantSummary(t, r, Error, "register-budget k")
	f := find(t, r, "register-budget", "k")
	if f.Value != 40 || !strings.Contains(strings.Join(f.Notes, "\n"), "the worst of 2 compilations") {
		t.Errorf("value %v, notes %q", f.Value, f.Notes)
	}
	r = judgeText(t, module+a+b, p)
	if r.Trusted() {
		t.Error("contradicting records of one compilation are trusted")
	}
	find(t, r, untrustedLogID, "")
}

func TestSameKernelTwiceIsOneFinding(t *testing.T) {
	k := module + entry("k", "sm_90", "40 registers, used 0 barriers")
	p := &Policy{
		ExpectKernels: 1,
		Declarations:  []Declaration{{Match: "k", Registers: Declared[int64](30)}},
	}
	r := judgeText(t, k+k+k, p)
	wantSummary(t, r, Error, "register-budget k")
	if r.Entries != 1 || r.Judged != 3 {
		t.Errorf("%d entries, %d judgements; want 1 and 3", r.Entries, r.Judged)
	}
}

// Where functions are compiled apart and the linker's lines are missing, a
// budget on registers rests on numbers that are too low: a note says so.
func TestSeparateCompilationWithoutLinker(t *testing.T) {
	log := &parse.Log{}
	log.Append(readFile(t, "linked/rdc-multiarch-ok-a-11.8.log"))
	log.Append(readFile(t, "linked/rdc-multiarch-ok-b-11.8.log"))
	p := &Policy{Archs: []Judged{{Arch: "sm_80"}}, Declarations: []Declaration{{Match: "calls_free", Registers: Declared[int64](64)}}}
	r := mustJudge(t, log, p)
	f := find(t, r, untrustedLogID, "")
	if f.Severity != Info || !r.Trusted() || !strings.Contains(f.Help, "-Xnvlink -v") {
		t.Errorf("%s: %s; trusted %v; %s", f.Severity, f.Message, r.Trusted(), f.Help)
	}
	log.Append(readFile(t, "linked/rdc-multiarch-ok-link-11.8.log"))
	r = mustJudge(t, log, p)
	if f := find(t, r, "register-budget", "calls_free"); f.Value != 171 {
		t.Errorf("%v registers, want the linker's 171", f.Value)
	}
	for i := range r.Findings {
		if r.Findings[i].Rule == untrustedLogID {
			t.Errorf("with the linker's lines: %s", r.Findings[i].Message)
		}
	}
}

// Two programs of one build can have a kernel of the same name, of which only
// one was linked: the other is judged by itself.
func TestNameOfAnotherProgram(t *testing.T) {
	linked := module + entry("k", "sm_90", "24 registers") +
		"nvlink info    : 0 bytes gmem\nnvlink info    : Function properties for 'k':\n" +
		"nvlink info    : used 40 registers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem\n"
	p := &Policy{Declarations: []Declaration{noSpills(), {Match: "k", Registers: Declared[int64](64), SharedBytes: Declared[int64](1024)}}}
	wantSummary(t, judgeText(t, linked, p), Info)
	for _, other := range []string{"128 registers", "24 registers, 2048 bytes smem"} {
		r := judgeText(t, linked+module+entry("k", "sm_90", other), p)
		if r.Judged != 2 || r.Worst() != Error || !r.Trusted() {
			t.Errorf("%s: %d kernels, %q", other, r.Judged, summary(r, Info))
		}
	}
}
