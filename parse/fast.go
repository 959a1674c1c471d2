package parse

import (
	"bytes"
	"encoding/binary"
)

const ptxasHead = "ptxas info    : "

// fast takes the lines that ptxas writes itself, when they stand alone on
// their line or in the same frame as before. Everything else is for slow.
func (x *lexer) fast(b []byte) bool {
	if hasAt(b, 0, ptxasHead) {
		if !x.fastHead(b[len(ptxasHead):], len(b), nil) {
			return false
		}
		x.frame.unwrapped(string(x.raw[len(b):])) // "" or "\r"
		return true
	}
	f := &x.frame
	if len(x.prefix) == 0 && hasAt(b, 0, stackIndent) && len(b) > 4 && b[4]-'0' < 10 {
		if !x.fastStack(b[4:], len(b)) {
			return false
		}
		f.unwrappedStack(string(x.raw[len(b):]))
		return true
	}
	if f.head.n > 0 && f.head.matches(b) {
		return x.fastHead(withoutTail(b[f.head.n:], f.tail), len(b), f.prefix)
	}
	if f.stack.n > 0 && f.stack.matches(b) && x.afterProps {
		return x.fastStack(withoutTail(b[f.stack.n:], f.stackTail), len(b))
	}
	return false
}

// withoutTail takes off what the frame has behind a message; the carriage
// return is off already.
func withoutTail(b, tail []byte) []byte {
	return bytes.TrimSuffix(b, bytes.TrimSuffix(tail, []byte{'\r'}))
}

func (x *lexer) fastHead(body []byte, width int, prefix []byte) bool {
	m := x.m
	m.reset()
	if n := resource(body, m); n != len(body) || m.cut || !plainName(m.name) {
		return false
	}
	m.tool, m.stage, m.sev, m.before = x.ptxas, StagePtxas, Info, prefix
	x.lone = 0
	x.afterProps = m.kind == msgProps
	if x.afterProps {
		x.prefix = append(x.prefix[:0], prefix...)
	}
	x.hold(body, width, true)
	return true
}

func (x *lexer) fastStack(body []byte, width int) bool {
	m := x.m
	m.reset()
	if n := stackFrame(body, m); n != len(body) || m.cut {
		return false
	}
	m.stage, m.before = StagePtxas, x.prefix
	x.afterProps, x.lone = false, 0
	x.hold(body, width, false)
	return true
}

// plainName reports whether a name is one word of printable ASCII without
// what can begin an entity or a tag, so that no encoding, wrapper or torn line
// can have had a part in it. It looks at eight bytes at a time: a byte below c
// is one that borrows when c is taken off, a byte equal to c one that is 0
// after an exclusive or.
func plainName(b []byte) bool {
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

// learn remembers the frame of the message that is held.
func (x *lexer) learn() {
	h := x.held
	if h.cut || h.stage != StagePtxas {
		return
	}
	text := bytes.TrimRight(x.heldText, " \t")
	if h.kind == msgStack {
		x.frame.learnStack(x.raw, text, &x.learner)
	} else if h.sev == Info {
		x.frame.learnHead(x.raw, text, &x.learner)
	}
}

// fastPlain takes a line of ptxas that is alone on its line once colours are
// taken away.
func (x *lexer) fastPlain(t []byte) bool {
	if hasAt(t, 0, ptxasHead) {
		return x.fastHead(t[len(ptxasHead):], len(t), nil)
	}
	if len(x.prefix) == 0 && hasAt(t, 0, stackIndent) && len(t) > 4 && t[4]-'0' < 10 {
		return x.fastStack(t[4:], len(t))
	}
	return false
}
