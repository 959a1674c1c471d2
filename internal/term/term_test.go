package term

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

func environment(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(key string) string { return m[key] }
}

func TestColorIsDecidedPerStream(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal on this machine: %v", err)
	}
	defer func() { _ = master.Close(); _ = tty.Close() }()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 97}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, mode string
		terminal   bool
		env        func(string) string
		want       bool
	}{
		{"a terminal has colour", "auto", true, environment(), true},
		{"a pipe has none", "auto", false, environment(), false},
		{"NO_COLOR", "auto", true, environment("NO_COLOR", "1"), false},
		{"NO_COLOR wins over a force", "auto", true, environment("NO_COLOR", "1", "CLICOLOR_FORCE", "1", "FORCE_COLOR", "3"), false},
		{"an empty NO_COLOR is not set", "auto", true, environment("NO_COLOR", ""), true},
		{"CLICOLOR_FORCE on a pipe", "auto", false, environment("CLICOLOR_FORCE", "1"), true},
		{"CLICOLOR_FORCE=0 forces nothing", "auto", false, environment("CLICOLOR_FORCE", "0"), false},
		{"FORCE_COLOR on a pipe", "auto", false, environment("FORCE_COLOR", "1"), true},
		{"FORCE_COLOR=0 on a terminal", "auto", true, environment("FORCE_COLOR", "0"), false},
		{"a dumb terminal", "auto", true, environment("TERM", "dumb"), false},
		{"CLICOLOR=0", "auto", true, environment("CLICOLOR", "0"), false},
		{"always beats NO_COLOR", "always", false, environment("NO_COLOR", "1"), true},
		{"never beats a force", "never", true, environment("CLICOLOR_FORCE", "1"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s *Style
			if tt.terminal {
				s = New(tty, tt.mode, tt.env)
			} else {
				s = New(&bytes.Buffer{}, tt.mode, tt.env)
			}
			if s.Color != tt.want {
				t.Errorf("Color = %v, want %v", s.Color, tt.want)
			}
			if got := strings.Contains(s.Error("x"), "\x1b["); got != tt.want {
				t.Errorf("Error(x) = %q", s.Error("x"))
			}
		})
	}
	if got := New(tty, "auto", environment("COLUMNS", "50")).Width; got != 97 {
		t.Errorf("width of a 97-column terminal = %d", got)
	}
}

func TestWidthOffTerminal(t *testing.T) {
	if got := New(&bytes.Buffer{}, "auto", nil).Width; got != 0 {
		t.Errorf("a pipe wraps at %d", got)
	}
	if got := New(&bytes.Buffer{}, "auto", environment("COLUMNS", "72")).Width; got != 72 {
		t.Errorf("COLUMNS=72 wraps at %d", got)
	}
	if got := New((*os.File)(nil), "auto", environment("COLUMNS", "-1")).Width; got != 0 {
		t.Errorf("COLUMNS=-1 wraps at %d", got)
	}
}

func TestCharset(t *testing.T) {
	tests := []struct {
		env  func(string) string
		want string
	}{
		{environment(), "16 × 2 → 50 %"},
		{environment("LANG", "de_DE.UTF-8"), "16 × 2 → 50 %"},
		{environment("LANG", "de_DE.utf8"), "16 × 2 → 50 %"},
		{environment("LC_ALL", "C", "LANG", "en_US.UTF-8"), "16 x 2 -> 50 %"},
		{environment("LANG", "POSIX"), "16 x 2 -> 50 %"},
		{environment("LC_CTYPE", "en_US.ISO-8859-1"), "16 x 2 -> 50 %"},
		{environment("LC_ALL", "C.UTF-8"), "16 × 2 → 50 %"},
	}
	for _, tt := range tests {
		if got := New(&bytes.Buffer{}, "auto", tt.env).Text("16 × 2 → 50 %"); got != tt.want {
			t.Errorf("Text = %q, want %q", got, tt.want)
		}
	}
	if got := (&Style{}).Text("kernel_名"); got != `kernel_\u{540d}` {
		t.Errorf("a name outside ASCII = %q", got)
	}
}

func TestPaintKeepsEscapesInsideLines(t *testing.T) {
	s := &Style{Color: true}
	for _, line := range strings.Split(s.Faint("one\n\ntwo"), "\n") {
		if strings.Count(line, "\x1b[")%2 != 0 {
			t.Errorf("a sequence is left open in %q", line)
		}
	}
}

func TestWidth(t *testing.T) {
	tests := []struct {
		in   string
		want int
	}{
		{"", 0},
		{"sgemm", 5},
		{"\x1b[1;31merror\x1b[0m", 5},
		{"名前", 4},      // two wide runes
		{"e\u0301", 1}, // e and a combining acute accent
		{"ｋ", 2},       // fullwidth k
		{"→", 1},
		{"\u200fx", 1},  // a right-to-left mark takes no column
		{"\x1b[1;3", 4}, // a sequence that never ends is text, less its escape byte
	}
	for _, tt := range tests {
		if got := Width(tt.in); got != tt.want {
			t.Errorf("Width(%q) = %d, want %d", tt.in, got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, in string
		columns  int
		want     []string
	}{
		{"fits", "one two", 20, []string{"one two"}},
		{"breaks at blanks", "aaaa bbbb cccc dddd eeee ffff", 20, []string{"aaaa bbbb cccc dddd", "eeee ffff"}},
		{"exactly full", "aaaa bbbb cccc dddde ffff", 20, []string{"aaaa bbbb cccc dddde", "ffff"}},
		{"a long word is cut", "k " + strings.Repeat("x", 45) + " z", 20,
			[]string{"k", strings.Repeat("x", 20), strings.Repeat("x", 20), "xxxxx z"}},
		{"wide runes count twice", strings.Repeat("名", 12), 20, []string{strings.Repeat("名", 10), "名名"}},
		{"0 never wraps", strings.Repeat("a ", 99), 0, []string{strings.Repeat("a ", 99)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, Wrap(tt.in, tt.columns)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFit(t *testing.T) {
	s := Plain()
	tests := []struct {
		in      string
		columns int
		want    string
	}{
		{"short", 10, "short"},
		{"abcdefghij", 10, "abcdefghij"},
		{"abcdefghijk", 10, "abcde…hijk"}, // 5 + 1 + 4
		{"名前名前名前", 7, "名…名前"},             // 2 + 1 + 4
	}
	for _, tt := range tests {
		got := s.Fit(tt.in, tt.columns)
		if Width(got) > tt.columns {
			t.Errorf("Fit(%q, %d) = %q takes %d columns", tt.in, tt.columns, got, Width(got))
		}
		if got != tt.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", tt.in, tt.columns, got, tt.want)
		}
	}
	if got := (&Style{}).Fit("abcdefghijk", 10); got != "abcd...ijk" { // 4 + 3 + 3
		t.Errorf("in ASCII: %q", got)
	}
	if got := PadLeft("12", 4) + Pad("x", 3) + "|"; got != "  12x  |" {
		t.Errorf("padding: %q", got)
	}
}
