package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// Per field the later declaration wins, and says where it is from.
func TestLaterDeclarationWins(t *testing.T) {
	at := func(from OriginKind, line int) Origin {
		return Origin{From: from, Place: parse.Place{File: string(from), Line: line}}
	}
	log := module + entry("_ZN3lin5sgemmIfEEvPT_", "sm_90a", "64 registers, used 0 barriers") +
		module + entry("_ZN3lin5sgemmIfEEvPT_", "sm_86", "64 registers, used 0 barriers") +
		module + entry("other", "sm_90a", "64 registers, used 0 barriers")
	r := judgeText(t, log, &Policy{Declarations: []Declaration{
		{Origin: at(FromDefaults, 1), Registers: Declared[int64](255), Barriers: Declared[int64](16)},
		{Match: "lin::sgemm<*>", Names: []string{"_ZN3lin5sgemmIfEEvPT_"}, Origin: at(FromSource, 2), LaunchBounds: Declared(Bounds{256, 1})},
		{Match: "lin::sgemm<*>", Origin: at(FromConfig, 3), Registers: Declared[int64](64), LaunchBounds: Declared(Bounds{256, 2})},
		{Match: "lin::sgemm<*>", Archs: []string{"sm_90"}, Origin: at(FromConfig, 4), LaunchBounds: Declared(Bounds{256, 4})},
		{Match: "re:lin::.*", Origin: at(FromConfig, 5), Block: Declared(128)},
	}})
	for _, c := range []struct {
		name, target string
		registers    int64
		bounds       Bounds
		boundsLine   int
		block        int
	}{
		{"_ZN3lin5sgemmIfEEvPT_", "sm_90a", 64, Bounds{256, 4}, 4, 128},
		{"_ZN3lin5sgemmIfEEvPT_", "sm_86", 64, Bounds{256, 2}, 3, 128},
		{"other", "sm_90a", 255, Bounds{}, 0, 0},
	} {
		d := judgement(t, r, c.name, c.target).Declared
		if d.Registers.Value != c.registers || d.LaunchBounds.Value != c.bounds || d.LaunchBounds.Origin.Place.Line != c.boundsLine || d.Block.Value != c.block {
			t.Errorf("%s on %s: %+v", c.name, c.target, d)
		}
		if d.Barriers.Value != 16 || d.Barriers.Origin.From != FromDefaults {
			t.Errorf("%s on %s: barriers %+v", c.name, c.target, d.Barriers)
		}
	}
}

// What a Go program declares without an origin is its config.
func TestOriginsOfGoPolicies(t *testing.T) {
	r := judgeText(t, spillingLog, &Policy{Declarations: []Declaration{
		noSpills(),
		{Match: "k", Registers: Declared[int64](1)},
	}})
	if from := find(t, r, "spill-budget", "k").Declared.From; from != FromDefaults {
		t.Errorf("spill budget from %q", from)
	}
	if from := find(t, r, "register-budget", "k").Declared.From; from != FromConfig {
		t.Errorf("register budget from %q", from)
	}
}

// The source line comes first, then the line of the config, then the log.
func TestAnchor(t *testing.T) {
	source := parse.Place{File: "src/k.cu", Line: 41, Column: 17}
	config := parse.Place{File: ".occlint.yml", Line: 7}
	ptx := parse.Place{File: "k.ptx", Line: 30}
	log := parse.Place{File: "build.log", Line: 2}
	for _, c := range []struct {
		name         string
		declarations []Declaration
		want         parse.Place
	}{
		{"log", []Declaration{{Match: "k", Registers: Declared[int64](1)}}, log},
		{"config", []Declaration{{Match: "k", Origin: Origin{From: FromConfig, Place: config}, Registers: Declared[int64](1)}}, config},
		{"PTX", []Declaration{{Match: "k", Origin: Origin{From: FromPTX, Place: ptx}, Registers: Declared[int64](1)}}, ptx},
		{"source", []Declaration{{Match: "k", Origin: Origin{From: FromSource, Place: source}, Registers: Declared[int64](1)}}, source},
		{"config of a kernel with a source", []Declaration{
			{Match: "k", Origin: Origin{From: FromSource, Place: source}, Source: Declared(source)},
			{Match: "k", Origin: Origin{From: FromConfig, Place: config}, Registers: Declared[int64](1)},
		}, source},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := find(t, judgeText(t, spillingLog, &Policy{Declarations: c.declarations}), "register-budget", "k")
			if f.Place != c.want {
				t.Errorf("points to %+v, want %+v", f.Place, c.want)
			}
			if f.Log != log || f.LogText != "Used 64 registers, used 0 barriers" {
				t.Errorf("log %+v %q", f.Log, f.LogText)
			}
		})
	}
}

func TestTeamsMessage(t *testing.T) {
	r := judgeText(t, spillingLog, &Policy{Declarations: []Declaration{
		{Match: "k", Registers: Declared[int64](1), Message: Declared("ask the kernels team before raising this")},
	}})
	for i := range r.Findings {
		if notes := r.Findings[i].Notes; !slices.Contains(notes, "ask the kernels team before raising this") {
			t.Errorf("%s: notes %q", r.Findings[i].Rule, notes)
		}
	}
}

// A callee's budget is its own where something names it, else its kernel's.
func TestCalleeBudgets(t *testing.T) {
	text := module + entry("calls", "sm_80", "64 registers") +
		"ptxas info    : Function properties for _Z5heavyPKfPfi\n    0 bytes stack frame, 220 bytes spill stores, 248 bytes spill loads\n"
	budget := func(match string, bytes int64) Declaration {
		return Declaration{Match: match, SpillStoreBytes: Declared(bytes), SpillLoadBytes: Declared(bytes)}
	}
	for _, c := range []struct {
		name         string
		declarations []Declaration
		want         Severity
	}{
		{"nothing declared", nil, Warning},
		{"defaults", []Declaration{budget("", 0)}, Error},
		{"the kernel allows it", []Declaration{budget("", 0), budget("calls", 248)}, Off},
		{"the kernel forbids it", []Declaration{budget("calls", 0)}, Error},
		{"the function allows it", []Declaration{budget("heavy", 248), budget("calls", 0)}, Off},
		{"the function forbids it", []Declaration{budget("heavy", 247), budget("calls", 300)}, Error},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judgeText(t, text, &Policy{Declarations: c.declarations})
			if r.Worst() != c.want {
				t.Errorf("worst is %v, want %v: %q", r.Worst(), c.want, summary(r, Info))
			}
		})
	}
}

func TestUnmatched(t *testing.T) {
	log := goodLog + module + entry("other", "sm_80", "32 registers, used 0 barriers")
	budget := func(d Declaration) Declaration {
		d.Registers = Declared[int64](255)
		return d
	}
	for _, c := range []struct {
		name   string
		policy Policy
		want   string // in the message; empty: none
	}{
		{"matches", Policy{Declarations: []Declaration{budget(Declaration{Match: "k"})}}, ""},
		{"misspelt", Policy{Declarations: []Declaration{budget(Declaration{Match: "kk"})}}, `"kk" matches no kernel`},
		{"defaults of nothing", Policy{Declarations: []Declaration{budget(Declaration{})}}, ""},
		{"source", Policy{Declarations: []Declaration{budget(Declaration{Match: "kk", Origin: Origin{From: FromSource}})}}, ""},
		{"PTX", Policy{Declarations: []Declaration{budget(Declaration{Match: "kk", Origin: Origin{From: FromPTX}})}}, ""},
		{"only on an architecture that is not judged",
			Policy{Archs: []Judged{{Arch: "sm_90"}}, Declarations: []Declaration{budget(Declaration{Match: "other"})}}, `"other" matches only kernels of architectures that it is not judged for`},
		{"for an architecture that is not in the log",
			Policy{Declarations: []Declaration{budget(Declaration{Match: "k", Archs: []string{"sm_86"}})}}, "it is not judged for"},
		{"for an architecture that is not judged",
			Policy{Archs: []Judged{{Arch: "sm_90"}, {Arch: "sm_80"}}, Declarations: []Declaration{budget(Declaration{Match: "k", Archs: []string{"sm_86"}})}}, ""},
		{"architecture", Policy{Archs: []Judged{{Arch: "sm_90"}, {Arch: "sm_86"}}}, "no kernel for sm_86"},
		{"architecture by its base", Policy{Archs: []Judged{{Arch: "compute_90"}}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := judgeText(t, log, &c.policy)
			var have []string
			for i := range r.Findings {
				if f := &r.Findings[i]; f.Rule == "unmatched" {
					have = append(have, f.Message)
				}
			}
			switch {
			case c.want == "" && len(have) > 0, c.want != "" && (len(have) != 1 || !strings.Contains(have[0], c.want)):
				t.Errorf("have %q, want %q", have, c.want)
			}
			if !r.Trusted() {
				t.Errorf("not trusted: %q", summary(r, Info))
			}
		})
	}
}

func TestJudgedArchsOnly(t *testing.T) {
	log := goodLog + module + frame("k", "sm_80", "32 registers, used 0 barriers", 8, 8, 8)
	r := judgeText(t, log, &Policy{Archs: []Judged{{Arch: "sm_90"}}, Declarations: []Declaration{noSpills()}})
	wantSummary(t, r, Info)
	if r.Judged != 1 || r.NotJudged != 1 || !slices.Equal(r.Archs, []string{"sm_90"}) {
		t.Errorf("%d kernels, %d not judged, archs %q", r.Judged, r.NotJudged, r.Archs)
	}
}

func TestUnmatchedSuggestsNames(t *testing.T) {
	var log strings.Builder
	log.WriteString(module)
	for _, k := range []string{"_ZN3lin5sgemmIfEEvPT_", "_ZN3lin5sgemmIdEEvPT_", "_ZN3lin5saxpyIfEEvPT_", "_Z10smem_boundPKfPf"} {
		log.WriteString(entry(k, "sm_90", "32 registers, used 0 barriers"))
	}
	for pattern, want := range map[string]string{
		"lin::sgem<*>":  "the log has lin::sgemm<float>",
		"sgemm<float>":  "the log has lin::sgemm<float>", // without its namespace
		"smem_bounds":   "the log has smem_bound",
		"lin::sgemm<x>": "the log has lin::sgemm<float>",
		"attention_*":   "",
		"re:sgem.*":     "",
	} {
		r := judgeText(t, log.String(), &Policy{Declarations: []Declaration{{Match: pattern, Registers: Declared[int64](64)}}})
		f := find(t, r, "unmatched", "")
		if got := strings.Join(f.Notes, "; "); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
}
