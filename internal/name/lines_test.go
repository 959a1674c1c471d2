package name

import (
	"strings"
	"testing"
	"testing/iotest"
)

// What GitHub's runner takes for a command: "::" at a line's start behind
// blanks, "##[" anywhere.
func TestLinesThatWouldBeCommands(t *testing.T) {
	tests := []struct{ in, want string }{
		{"::error::x", `\x3a:error::x`},
		{"  \t::error::x\n\n ::stop::y\n", "  \t\\x3a:error::x\n\n \\x3a:stop::y\n"},
		{"a::b\nlin::sgemm", "a::b\nlin::sgemm"},
		{"", ""},
		{"\n\n", "\n\n"},
	}
	for _, tt := range tests {
		var whole, split strings.Builder
		if _, err := LineWriter(&whole).Write([]byte(tt.in)); err != nil {
			t.Fatal(err)
		}
		w := LineWriter(&split)
		for _, b := range []byte(tt.in) {
			if n, err := w.Write([]byte{b}); err != nil || n != 1 {
				t.Fatal(n, err)
			}
		}
		if whole.String() != tt.want || split.String() != tt.want {
			t.Errorf("%q gives %q, by bytes %q, want %q", tt.in, whole.String(), split.String(), tt.want)
		}
	}
	if _, err := LineWriter(&failing{}).Write([]byte("x")); err == nil {
		t.Error("an error of the writer is lost")
	}
	if got, want := EscapeLines("::a\n::b ##[c]"), "::a\n\\x3a:b ##\\x5bc]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

type failing struct{}

func (*failing) Write([]byte) (int, error) { return 0, iotest.ErrTimeout }

func TestJSONIsNoCommand(t *testing.T) {
	const in = `{"name":"##[error]x###[y#[z"}`
	const want = `{"name":"##\u005berror]x###\u005by#[z"}`
	for _, size := range []int{1, 2, 3, 100} {
		var b strings.Builder
		w := JSONWriter(&b)
		for rest := in; rest != ""; {
			n := min(size, len(rest))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if b.String() != want {
			t.Errorf("by %d bytes: %s", size, &b)
		}
	}
}
