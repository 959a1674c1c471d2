package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/scan"
)

// stackLine recognises the second line of a properties message, which has no
// tool word of its own.
func (x *Lexer) stackLine(b []byte, afterProps bool) bool {
	s := stackNumber(b)
	if s < 0 {
		return false
	}
	m := x.m
	n := stackFrame(b[s:], m)
	if n < 0 {
		return false
	}
	if scan.HasAt(b[s:], n, "...") {
		m.Cut = true
	}
	m.Stage = Ptxas
	before := b[:s]
	m.Before = before
	bare := bytes.TrimRight(before, " \t")
	indented := len(bare) < len(before)
	switch {
	case afterProps && sameShape(before, x.prefix) && (indented || len(before) == len(x.prefix)):
		// Directly below its properties line, behind the same wrapper; some
		// wrappers eat the indent.
	case indented && (len(bare) == 0 || x.knows(before) || driverStack(bare)):
	default:
		// Something else stands before the number: the line may be torn, and
		// the number the end of a longer one. Where nothing waits for a stack
		// line, one behind a wrapper is what it seems, and prose is none.
		whole := !m.Cut
		m.Cut = true
		if wrapperOnly(before) {
			m.Bare = true
			return true
		}
		if !whole {
			m.Kind = None
		}
	}
	if m.Cut {
		m.Stack, m.Stores, m.Loads = 0, 0, 0
	}
	return true
}

// wrapperOnly reports whether text in front of a message is a wrapper's and
// nothing else.
func wrapperOnly(before []byte) bool {
	const longest = 256
	if len(before) > longest {
		return false
	}
	rest, _ := logtext.Strip(append(bytes.Clone(before), 'x'))
	return string(rest) == "x"
}

// mostPrefixes bounds the wrappers that are remembered at a time: one for
// each job whose lines a build tool shows behind its name.
const mostPrefixes = 16

// wrappedIn remembers the wrapper of a properties line.
func (x *Lexer) wrappedIn(before []byte) {
	if !sameShape(x.prefix, before) && !x.knows(before) {
		if len(x.prefixes) == mostPrefixes {
			x.prefixes = append(x.prefixes[:0], x.prefixes[1:]...)
		}
		x.prefixes = append(x.prefixes, bytes.Clone(x.prefix))
	}
	x.prefix = append(x.prefix[:0], before...)
}

// knows reports whether a properties line had the same wrapper.
func (x *Lexer) knows(before []byte) bool {
	if sameShape(before, x.prefix) {
		return true
	}
	for _, p := range x.prefixes {
		if sameShape(before, p) {
			return true
		}
	}
	return false
}

// stackNumber returns where the number before ` bytes stack frame` begins, or
// of what can be the beginning of that at the end of the line; -1 for none.
func stackNumber(b []byte) int {
	i := bytes.Index(b, []byte(" bytes stack"))
	if i < 0 {
		return -1
	}
	s := i
	for s > 0 && b[s-1]-'0' < 10 {
		s--
	}
	return s
}

// driverStack recognises the driver's own front of a stack line, in logs of
// its JIT, NVRTC and OpenCL: `ptxas         .     0 bytes stack frame`.
func driverStack(t []byte) bool {
	if n := len(t); n > 0 && (t[n-1] == '.' || t[n-1] == ':') {
		t = bytes.TrimRight(t[:n-1], " \t")
	}
	return scan.HasSuffix(t, "ptxas")
}

// sameShape reports whether two wrappers are the same but for their numbers
// (times, line numbers, percentages) and their blanks.
func sameShape(a, b []byte) bool {
	for {
		ca, na := shapeByte(a)
		cb, nb := shapeByte(b)
		if ca != cb {
			// Blanks at the end are the stack line's indent.
			return (ca == 0 && len(bytes.TrimLeft(b, " \t")) == 0) || (cb == 0 && len(bytes.TrimLeft(a, " \t")) == 0)
		}
		if ca == 0 {
			return true
		}
		a, b = a[na:], b[nb:]
	}
}

// shapeByte returns the next byte of a wrapper's shape and how many bytes it
// stands for: 0 at the end, '0' for a number, ' ' for blanks.
func shapeByte(b []byte) (c byte, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	switch c = b[0]; {
	case c-'0' < 10:
		for n = 1; n < len(b) && b[n]-'0' < 10; n++ {
		}
		return '0', n
	case c == ' ' || c == '\t':
		for n = 1; n < len(b) && (b[n] == ' ' || b[n] == '\t'); n++ {
		}
		return ' ', n
	}
	return c, 1
}
