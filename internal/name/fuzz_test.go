package name

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzName holds what is true of every text taken for a mangled name.
func FuzzName(f *testing.F) {
	for i, n := range realNames(f) {
		if i%8 == 0 && len(n.mangled) < 200 {
			f.Add(n.mangled)
		}
	}
	for _, mangled := range setNames(f)[:40] {
		f.Add(mangled)
	}
	f.Fuzz(func(t *testing.T, mangled string) {
		stable := Canonical(mangled)
		if again := Canonical(stable); again != stable {
			t.Errorf("Canonical(%q) = %q, and of that %q", mangled, stable, again)
		}
		Demangle(mangled)
		if simple, ok := simpleName(mangled, true); ok && simple != qualified(mangled) {
			t.Errorf("simpleName(%q) = %q, want %q", mangled, simple, qualified(mangled))
		}
		if got, want := Family(mangled), family(mangled); got != want {
			t.Errorf("Family(%q) = %q, want %q", mangled, got, want)
		}
		for _, text := range []string{mangled, Qualified(mangled)} {
			safe := Escape(text)
			if !utf8.ValidString(safe) || strings.ContainsAny(safe, "\n\r\x1b\x00") {
				t.Errorf("Escape(%q) = %q", text, safe)
			}
			if Escape(safe) != safe {
				t.Errorf("Escape(%q) = %q is not stable", text, safe)
			}
		}
		if id, ok := firstIdentifier(mangled); ok {
			shown := Qualified(stable)
			for _, text := range []string{shown, normalize(shown)} {
				if shown != stable && (!strings.HasPrefix(text, id) || wordAt(text, len(id))) {
					t.Errorf("%q is shown as %q, which does not begin with %q alone", mangled, text, id)
				}
			}
		}
		for _, text := range []string{mangled, Qualified(mangled)} {
			if got, want := nextMark(text, 0), slowMark(text); got != want {
				t.Errorf("nextMark(%q) = %d, want %d", text, got, want)
			}
			if got, want := hasNonWord(text), slowNonWord(text); got != want {
				t.Errorf("hasNonWord(%q) = %v", text, got)
			}
			if got, want := normalize(text), normalizeAll(text); got != want {
				t.Errorf("normalize(%q) = %q, want %q", text, got, want)
			}
		}
		names := []string{mangled, stable, mangled + "x", "_Z1fv", mangled}
		distinct(t, names, Shorten(names))
	})
}

// FuzzPattern compares the set with its prefilter to patterns asked one by
// one, and the glob matcher to a simple one.
func FuzzPattern(f *testing.F) {
	names := setNames(f)
	for i, text := range setPatterns {
		f.Add(text, names[i%len(names)])
		f.Add(text, names[(7*i+3)%len(names)])
	}
	f.Fuzz(func(t *testing.T, text, mangled string) {
		p, err := CompilePattern(text)
		if err != nil {
			return
		}
		want := p.Match(mangled)
		if slow := matchDemangled(p, mangled); want != slow {
			t.Errorf("pattern %q (start %q), name %q: %v, and demangled %v", text, p.start.word, mangled, want, slow)
		}
		if got := NewSet([]*Pattern{p}).Match(mangled, nil); (len(got) == 1) != want {
			t.Errorf("pattern %q (needle %q), name %q: alone %v, in a set %v", text, p.needle.text, mangled, want, got)
		}
		others := compileAll(t, []string{"*", "lin::*", text, "*saxpy*", "_Z5saxpyPf"})
		if got, want := NewSet(others).Match(mangled, nil), matchAll(others, mangled); !slices.Equal(got, want) {
			t.Errorf("patterns %q, name %q: %v, want %v", others, mangled, got, want)
		}
		// Of patterns with a start only, unless text has none.
		started := compileAll(t, []string{"lin::*", text, "saxpy*", "k*", "_Z5saxpyPf"})
		if got, want := NewSet(started).Match(mangled, nil), matchAll(started, mangled); !slices.Equal(got, want) {
			t.Errorf("patterns %q, name %q: %v, want %v", started, mangled, got, want)
		}
		if p.re == nil && len(text) < 12 && len(mangled) < 24 {
			if got, want := p.raw.match(mangled), slowMatch(p.raw, mangled); got != want {
				t.Errorf("glob of %q, text %q: %v, want %v", text, mangled, got, want)
			}
		}
	})
}

// slowMatch tries every division of the text.
func slowMatch(g glob, s string) bool {
	texts := make([]string, len(g.parts))
	for i, p := range g.parts {
		texts[i] = p.text
	}
	return slowGlob(strings.Join(texts, string([]byte{wildAny})), s)
}

func slowGlob(pattern, s string) bool {
	switch {
	case pattern == "":
		return s == ""
	case pattern[0] == wildAny:
		return slowGlob(pattern[1:], s) || s != "" && slowGlob(pattern, s[runeLen(s):])
	case s == "":
		return false
	case pattern[0] == wildOne:
		return slowGlob(pattern[1:], s[runeLen(s):])
	default:
		return pattern[0] == s[0] && slowGlob(pattern[1:], s[1:])
	}
}
