package judge

import (
	"strconv"
	"testing"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
)

// The spellings of one kernel by several tools are one, and those of its
// sisters are not.
func TestSpellings(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"void fix::gather<2>(const float *, float *, int)", "void fix::gather<(int)2>(const T1 *, T1 *, int)"},
		{"void fix::gather<2>(const float *, float *, int)", "fix::gather<2>"},
		{"void k<true, 5>(int)", "void k<(bool)1, (unsigned long)5>(int)"},
		{"void k<5ul, 4u, false>(int)", "void k<5, (unsigned int)4, (bool)0>(int)"},
		{"void k<(char)120, (ns::Mode)2>(int)", "void k<120, 2>(int)"},
		{"void (anonymous namespace)::k<1>(int)", "void <unnamed>::k<1>(int)"},
		{"void <unnamed>::k<1>(int)", "unnamed>::k<1>(int)"},
		{"void a::(anonymous namespace)::k(int)", "a::_GLOBAL__N__1251166d_9_basics_cu_scale_c::k(int)"},
		{"void k<const float *>(int)", "void k<float const*>(int)"},
		{"void k<float>(float (*)(int), int)", "k<float>"},
		{"void k<-1>(int)", "void k<(int)-1>(int)"},
		{"void a::b<c::d<1, e> >::f<2>(int)", "void a::b<c::d<(int)1,e>>::f<(int)2>(int)"},
	} {
		if x, y := spell(c.a), spell(c.b); x.full != y.full || x.function != y.function {
			t.Errorf("%q is %q (%q), %q is %q (%q)", c.a, x.full, x.function, c.b, y.full, y.function)
		}
	}
	for _, c := range []struct{ a, b string }{
		{"void k<1>(int)", "void k<11>(int)"},
		{"void k<1>(int)", "void k<-1>(int)"},
		{"void a::k(int)", "void b::k(int)"},
		{"void k<float>(int)", "void k<double>(int)"},
		{"void k<unsigned int>(int)", "void k<int>(int)"},
	} {
		if x, y := spell(c.a), spell(c.b); x.full == y.full {
			t.Errorf("%q and %q are both %q", c.a, c.b, x.full)
		}
	}
	for name, want := range map[string]string{
		"void fix::gather<2>(int)": "gather", "(anonymous namespace)::k": "k", "a::b<c::d>::f<e::g>(int)": "f", "": "", "<<<": "<<<", "k<": "k",
	} {
		if got := spell(name).function; got != want {
			t.Errorf("the function of %q is %q, want %q", name, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	// Two instances, two overloads, one name in two namespaces, C linkage.
	records := []Record{
		{Name: "_Z6cappedILi1EEvPKfPfi", Arch: "sm_90", Registers: 93, SharedBytes: 0},
		{Name: "_Z6cappedILi8EEvPKfPfi", Arch: "sm_90a", Registers: 32, SharedBytes: 0},
		{Name: "_Z4overi", Arch: "sm_90", Registers: 20, SharedBytes: 0},
		{Name: "_Z4overf", Arch: "sm_90", Registers: 20, SharedBytes: 0},
		{Name: "_ZN1a1kEv", Arch: "sm_90", Registers: 8, SharedBytes: 1024},
		{Name: "_ZN1b1kEv", Arch: "sm_90", Registers: 8, SharedBytes: 1024},
		{Name: "plain", Arch: "sm_80", Registers: 40, SharedBytes: 0},
		{Name: "_Z6linkedv", Arch: "sm_90", Registers: 24, SharedBytes: 4096},
		{Name: "_Z6cappedILi1EEvPKfPfi", Arch: "sm_80", Registers: 90, SharedBytes: 0},
	}
	x := newIndex(records)
	for _, c := range []struct {
		reason            string
		names             profile.Names
		arch              string
		registers, static int
		want              int // index of the record; -1 for none
		joined            Joined
		stale             bool
		several           int
	}{
		{"mangled", profile.Names{Mangled: "_Z6cappedILi8EEvPKfPfi"}, "sm_90", 32, 0, 1, ByMangled, false, 0},
		{"mangled, of another architecture", profile.Names{Mangled: "_Z6cappedILi1EEvPKfPfi"}, "sm_80", 90, 0, 8, ByMangled, false, 0},
		{"template", profile.Names{Demangled: "void capped<8>(const float *, float *, int)"}, "sm_90", 32, 0, 1, ByTemplate, false, 0},
		{"the registers tell which", profile.Names{Mangled: "capped", Function: "capped"}, "sm_90", 93, 0, 0, ByFunction, false, 0},
		{"8.6 runs what was compiled for 8.0", profile.Names{Mangled: "plain", Function: "plain"}, "sm_86", 40, 0, 6, ByMangled, false, 0},
		{"9.0 doesn't", profile.Names{Mangled: "plain", Function: "plain"}, "sm_90", 40, 0, -1, NotJoined, false, 0},
		{"a profiler says 16 at least", profile.Names{Demangled: "a::k()"}, "sm_90", 16, 1024, 4, ByTemplate, false, 0},
		{"other registers", profile.Names{Mangled: "_Z6cappedILi8EEvPKfPfi"}, "sm_90", 40, 0, -1, NotJoined, true, 0},
		{"other shared memory", profile.Names{Demangled: "a::k()"}, "sm_90", 16, 2048, -1, NotJoined, true, 0},
		{"overloads by their parameters", profile.Names{Demangled: "over(float)"}, "sm_90", 20, 0, 3, ByTemplate, false, 0},
		{"overloads without them", profile.Names{Mangled: "over", Function: "over"}, "sm_90", 20, 0, -1, NotJoined, false, 2},
		{"a namespace that the tool left out, and two that fit", profile.Names{Demangled: "k()"}, "sm_90", 16, 1024, -1, NotJoined, false, 2},
		{"shared memory that agrees", profile.Names{Mangled: "_Z6linkedv"}, "sm_90", 24, 4096, 7, ByMangled, false, 0},
		{"4.10 Kbyte are 4096 bytes", profile.Names{Mangled: "_Z6linkedv"}, "sm_90", 24, 4100, 7, ByMangled, false, 0},
		{"no record", profile.Names{Mangled: "_Z7unknownv", Demangled: "unknown()", Function: "unknown"}, "sm_90", 24, 0, -1, NotJoined, false, 0},
		{"no architecture in an old header", profile.Names{Demangled: "void capped<8>(const float *, float *, int)"}, "", 32, 0, 1, ByTemplate, false, 0},
	} {
		l := &profile.Launch{Names: c.names, Arch: c.arch}
		l.Values.Set(profile.RegistersPerThread, float64(c.registers))
		l.Values.Set(profile.StaticSharedBytes, float64(c.static))
		m := x.find(l, arch.Builtin())
		got := -1
		for i := range x.records {
			if m.record == &x.records[i] {
				got = i
			}
		}
		if got != c.want || m.joined != c.joined || (m.stale != nil) != c.stale || m.several != c.several {
			t.Errorf("%s: record %d by %q, stale %t, %d fit; want %d by %q, %t, %d", c.reason, got, m.joined, m.stale != nil, m.several, c.want, c.joined, c.stale, c.several)
		}
	}
}

// What lies inside of a report counts only where nothing beside it has the
// name: else a stale log would be hidden by the profiled binary.
func TestOwnRecordsComeSecond(t *testing.T) {
	j := New([]Record{{Name: "_Z1kv", Arch: "sm_90", Registers: 40, SharedBytes: 0}}, Options{Table: arch.Builtin(), Thresholds: Defaults()})
	j.AddOwn([]Record{{Name: "_Z1kv", Arch: "sm_90", Registers: 50, SharedBytes: 0}, {Name: "_Z1lv", Arch: "sm_90", Registers: 50, SharedBytes: 0}})
	for _, c := range []struct {
		name string
		want Verdict
	}{{"_Z1kv", ProfileStale}, {"_Z1lv", Insufficient}} {
		l := &profile.Launch{Names: profile.Names{Mangled: c.name}, Arch: "sm_90", Block: profile.Dim{256, 1, 1}, Merged: 1}
		l.Values.Set(profile.RegistersPerThread, 50)
		if err := j.Add(l); err != nil {
			t.Fatal(err)
		}
		found := false
		for _, k := range j.Result().Kernels {
			if k.Verdict == c.want {
				found = true
			}
		}
		if !found {
			t.Errorf("%s is not %s", c.name, c.want)
		}
	}
}

// Two binaries of a report, or of two reports, have a kernel of one name with
// other numbers: each launch finds its own, and none is of another build.
func TestOwnRecordsOfOneName(t *testing.T) {
	j := New(nil, Options{Table: arch.Builtin(), Thresholds: Defaults()})
	for n, registers := range []int{64, 128, 64} {
		j.AddOwn([]Record{{Name: "matmul_kernel", Arch: "sm_90", Registers: registers, SharedBytes: 0, File: "r.ncu-rep:binary" + strconv.Itoa(n+1), Binary: true, Inside: true}})
	}
	for _, registers := range []float64{64, 128} {
		l := &profile.Launch{Names: profile.Names{Mangled: "matmul_kernel"}, Arch: "sm_90", Block: profile.Dim{128, 1, 1}, Merged: 1}
		l.Values.Set(profile.RegistersPerThread, registers)
		if err := j.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	r := j.Result()
	if r.Joined != 2 || r.Others != 0 || r.Records != 2 {
		t.Errorf("%d launches joined with %d records, %d with another build's; want 2 with 2, and 0", r.Joined, r.Records, r.Others)
	}
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Record == nil || k.Record.Registers != k.Registers {
			t.Errorf("a launch with %d registers has the record %+v", k.Registers, k.Record)
		}
	}
}

// FuzzSpell: any text is reduced without a panic, to no more than its own
// length (unnamed namespaces aside), and fits itself.
func FuzzSpell(f *testing.F) {
	f.Add("void fix::gather<(int)2>(const T1 *, T1 *, int)")
	f.Add("unnamed>::k<a(b)::c<1>>(d)(e)")
	f.Add("_GLOBAL__N__::")
	f.Fuzz(func(t *testing.T, s string) {
		x := spell(s)
		if len(x.full) > len(s)+len(s)*len(unnamed) {
			t.Errorf("%q became %q", s, x.full)
		}
		if !fit(x.parameters, spell(s).parameters) {
			t.Errorf("%q does not fit itself", s)
		}
	})
}
