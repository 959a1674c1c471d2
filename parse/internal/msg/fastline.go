package msg

import (
	"bytes"
	"encoding/binary"

	"github.com/occlint/occlint/parse/internal/scan"
)

// fast takes the lines that ptxas writes itself, when they stand alone on
// their line or in the same margins as before. Everything else is for slow.
func (x *Lexer) fast(b []byte) bool {
	if scan.HasAt(b, 0, PtxasInfo) {
		if !x.fastHead(b[len(PtxasInfo):], len(b), nil) {
			return false
		}
		x.Margins.bare(string(x.raw[len(b):])) // "" or "\r"
		return true
	}
	f := &x.Margins
	if len(x.prefix) == 0 && scan.HasAt(b, 0, stackIndent) && len(b) > 4 && b[4]-'0' < 10 {
		if !x.fastStack(b[4:], len(b)) {
			return false
		}
		f.bareStack(string(x.raw[len(b):]))
		return true
	}
	if f.Left.Len() > 0 && f.Left.Matches(b) {
		return x.fastHead(withoutRight(b[f.Left.Len():], f.Right), len(b), f.wrapper)
	}
	if f.StackLeft.Len() > 0 && f.StackLeft.Matches(b) && x.afterProps {
		return x.fastStack(withoutRight(b[f.StackLeft.Len():], f.StackRight), len(b))
	}
	return false
}

// withoutRight takes off the right margin behind a message; the carriage
// return is off already.
func withoutRight(b, right []byte) []byte {
	return bytes.TrimSuffix(b, bytes.TrimSuffix(right, []byte{'\r'}))
}

func (x *Lexer) fastHead(body []byte, width int, prefix []byte) bool {
	m := x.m
	m.reset()
	if n := resource(body, m); n != len(body) || m.Cut || !PlainName(m.Name) {
		return false
	}
	m.Tool, m.Stage, m.Severity, m.Before = x.ptxas, Ptxas, Info, prefix
	x.lone = 0
	x.afterProps = m.Kind == Properties
	if x.afterProps {
		x.prefix = append(x.prefix[:0], prefix...)
	}
	x.hold(body, width, true)
	return true
}

func (x *Lexer) fastStack(body []byte, width int) bool {
	m := x.m
	m.reset()
	if n := stackFrame(body, m); n != len(body) || m.Cut {
		return false
	}
	m.Stage, m.Before = Ptxas, x.prefix
	x.afterProps, x.lone = false, 0
	x.hold(body, width, false)
	return true
}

// PlainName reports whether a name is one word of printable ASCII without
// what can begin an entity or a tag, so that no encoding, wrapper or torn line
// can have had a part in it. It looks at eight bytes at a time: a byte below c
// is one that borrows when c is taken off, a byte equal to c one that is 0
// after an exclusive or.
func PlainName(b []byte) bool {
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	for len(b) >= 8 {
		v := binary.LittleEndian.Uint64(b)
		amp, less := v^ones*'&', v^ones*'<'
		if (v|(v-ones*'!')|(v+ones)|(amp-ones)|(less-ones))&high != 0 {
			// Borrows and carries run into higher bytes, so look again.
			if !plainBytes(b[:8]) {
				return false
			}
		}
		b = b[8:]
	}
	return plainBytes(b)
}

func plainBytes(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || c == '&' || c == '<' {
			return false
		}
	}
	return true
}

// learn remembers the margins of the message that is held.
func (x *Lexer) learn() {
	h := x.held
	if h.Cut || h.Stage != Ptxas {
		return
	}
	text := bytes.TrimRight(x.heldText, " \t")
	if h.Kind == StackFrame {
		x.Margins.learnStack(x.raw, text, &x.learner)
	} else if h.Severity == Info {
		x.Margins.learn(x.raw, text, &x.learner)
	}
}

// fastPlain takes a line of ptxas that is alone on its line once colours are
// taken away.
func (x *Lexer) fastPlain(t []byte) bool {
	if scan.HasAt(t, 0, PtxasInfo) {
		return x.fastHead(t[len(PtxasInfo):], len(t), nil)
	}
	if len(x.prefix) == 0 && scan.HasAt(t, 0, stackIndent) && len(t) > 4 && t[4]-'0' < 10 {
		return x.fastStack(t[4:], len(t))
	}
	return false
}
