package name

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// hostilePieces are what the prefilter, canonical names and the demangler look
// for. Fuzzing by bytes rarely puts two of them together.
var hostilePieces = []string{
	"lin", "saxpy", "k", "a", "_", "__", "$", "0", "1", "12", "4", "9", "Z", "T", "ZT", "ZG", "E", "N", "I", "K", "B", "Q", "f", "v", "L", "Li3E", "Lb1E",
	"S_", "T_", "cv", "J", "X", "D", "C1", "U", "lE_", ".", ".static.", "__static__", "__intern__", "deadbeef", "0123456789abcdef", "17h", "17h0123456789abcdefE",
	"_GLOBAL__N__", "_GLOBAL__N_1", "_INTERNAL_", "__nv_static_", "_cpp1_ii", "_9_basics_cu", "9_basics_cu_x", "1251166d_9_basics_cu_scale_c",
	"_GLOBAL__N__9_basics_cu", "_GLOBAL__N__1251166d_9_basics_cu_scale_c", "_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc",
	"_GLOBAL__N__30_17h0123456789abcdefE_cpp1_ii", "__nv_static_29__16_CUDA_HOG_cpp1_ii_04c76ffe__", "_Z3hogPf",
	" ", "(", "(int)", "(bool)1", "<unnamed>", "::", "<", ">", "\xff", "ß", "\xdf",
}

func hostileName(r *rand.Rand) string {
	piece := func() string { return hostilePieces[r.IntN(len(hostilePieces))] }
	var b strings.Builder
	if r.IntN(10) > 0 {
		b.WriteString("_Z")
		b.WriteString([]string{"", "N", "N", "N", "ZN", "L", "NK", "Z", "T"}[r.IntN(9)])
	}
	for range 1 + r.IntN(5) {
		if r.IntN(3) == 0 {
			b.WriteString(piece())
			continue
		}
		id := []string{piece()}
		for r.IntN(2) == 0 {
			id = append(id, piece())
		}
		size := len(strings.Join(id, ""))
		if r.IntN(8) == 0 {
			size += r.IntN(7) - 3
		}
		b.WriteString(strconv.Itoa(size))
		b.WriteString(strings.Join(id, ""))
		if r.IntN(4) == 0 {
			b.WriteString("IfLi3EE")
		}
	}
	b.WriteString([]string{"", "E", "Ev", "v", "Pf", "17h0123456789abcdefE", "__static__0123456789abcdef"}[r.IntN(7)])
	return b.String()
}

func TestHostileNames(t *testing.T) {
	rounds := 20_000
	if testing.Short() {
		rounds = 2_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for _, piece := range hostilePieces {
		for _, text := range []string{piece, piece + "*", "*" + piece, "*" + piece + "*", piece + "::*", "*::" + piece + "<*>", "re:" + piece + ".*"} {
			if _, err := CompilePattern(text); err == nil {
				texts = append(texts, text)
			}
		}
	}
	patterns := compileAll(t, texts)
	known := 0
	for range rounds {
		mangled := hostileName(r)
		stable := Canonical(mangled)
		if id, ok := firstIdentifier(mangled); ok {
			known++
			shown := qualified(stable)
			for _, text := range []string{shown, normalizeAll(shown)} {
				if shown != stable && (!strings.HasPrefix(text, id) || wordAt(text, len(id))) {
					t.Errorf("%q is shown as %q, which does not begin with %q alone", mangled, text, id)
				}
			}
		}
		if got, want := Qualified(mangled), qualified(mangled); got != want {
			t.Errorf("Qualified(%q) = %q, want %q", mangled, got, want)
		}
		if got, want := Family(mangled), family(mangled); got != want {
			t.Errorf("Family(%q) = %q, want %q", mangled, got, want)
		}
		if got, want := nextMark(mangled, 0), slowMark(mangled); got != want {
			t.Errorf("nextMark(%q) = %d, want %d", mangled, got, want)
		}
		var some []*Pattern
		for range 1 + r.IntN(6) {
			some = append(some, patterns[r.IntN(len(patterns))])
		}
		var want []int
		for i, p := range some {
			if matchDemangled(p, mangled) {
				want = append(want, i)
			}
			if p.Match(mangled) != matchDemangled(p, mangled) {
				t.Errorf("pattern %q (start %q), name %q, shown %q: Match says %v", p, p.start.word, mangled, qualified(stable), p.Match(mangled))
			}
		}
		if got := NewSet(some).Match(mangled, nil); !slices.Equal(got, want) {
			t.Errorf("patterns %q, name %q, shown %q: %v, want %v", some, mangled, qualified(stable), got, want)
		}
	}
	if known < rounds/10 {
		t.Errorf("the first identifier of only %d names is known: the test proves little", known)
	}
}
