package name

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"lin::saxpy<float>(int, float const*)", "lin::saxpy<float>(int, float const*)"},
		{"größe_计算<α>", "größe_计算<α>"},
		{`a\b`, `a\b`},
		{"a\nb\r\tc\x00\x1b[31m\x7f", `a\nb\r\tc\x00\x1b[31m\x7f`},
		{"a\u0085b\u009b31m", `a\u0085b\u009b31m`},                   // C1 controls: a terminal takes U+009B for ESC [
		{"a\u202egnp.exe\u2066\u200b", `a\u202egnp.exe\u2066\u200b`}, // direction and zero width
		{"a\u2028b\u2029c\ufeff", `a\u2028b\u2029c\ufeff`},
		{"a\u00a0b\u3164c\ufe0f", `a\u00a0b\u3164c\ufe0f`},
		{"a\U000e0041b", `a\U000e0041b`}, // tags
		{"a\xffb\xc3", `a\xffb\xc3`},
		{"a\ufffdb", "a\ufffdb"},         // the replacement character itself is visible
		{"\xed\xa0\x80", `\xed\xa0\x80`}, // a surrogate is not UTF-8
	}
	for _, tt := range tests {
		if got := Escape(tt.in); got != tt.want {
			t.Errorf("Escape(%q) = %q, want %q", tt.in, got, tt.want)
		}
		if again := Escape(tt.want); again != tt.want {
			t.Errorf("Escape(%q) = %q: escaped twice", tt.want, again)
		}
	}
}

func TestEscapeKeepsCleanTextAsIs(t *testing.T) {
	s := "lin::saxpy<float>"
	if n := testing.AllocsPerRun(100, func() { Escape(s) }); n != 0 {
		t.Errorf("a clean text costs %v allocations", n)
	}
}

func TestBrief(t *testing.T) {
	long := strings.Repeat("a", 500) + "\x1b" + strings.Repeat("é", 500)
	got := Brief(long, 100)
	// 100 less the ellipsis and a mark of 10: 60 in front, 29 behind.
	want := strings.Repeat("a", 60) + "…" + strings.Repeat("é", 29) + " #"
	if !strings.HasPrefix(got, want) || utf8.RuneCountInString(got) != 100 {
		t.Errorf("%q", got)
	}
	if other := Brief(strings.Replace(long, "\x1b", "b", 1), 100); other == got {
		t.Error("two texts that differ in the middle look alike")
	}
	for _, s := range []string{"", "k", strings.Repeat("é", 100), "a\x1bb"} {
		if Brief(s, 100) != Escape(s) {
			t.Errorf("%q gives %q", s, Brief(s, 100))
		}
	}
}

// Each byte at each place of texts that are shorter and longer than a word of
// eight: printable ASCII stays as it is and nothing else does.
func TestEscapeEachByte(t *testing.T) {
	for size := 1; size <= 20; size++ {
		for at := range size {
			for c := range 256 {
				text := []byte("a ~#Z[9_{}a ~#Z[9_{}"[:size])
				text[at] = byte(c)
				s := string(text)
				unsafe := c < ' ' || c > '~' || strings.Contains(s, "##[")
				if got := Escape(s); (got != s) != unsafe {
					t.Errorf("Escape(%q) = %q", s, got)
				}
			}
		}
	}
}
