package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// opensAt reports whether a message of ptxas begins in b at i.
func opensAt(b []byte, i int) bool {
	return scan.HasAt(b, i, "ptxas info    : ") || scan.HasAt(b, i, "ptxas warning : ") || scan.HasAt(b, i, "ptxas error   : ") || scan.HasAt(b, i, "ptxas fatal   : ")
}

// nextOpening returns where the next message of ptxas begins at or after from,
// -1 for none.
func nextOpening(b []byte, from int) int {
	for i := from; i < len(b); i++ {
		n := bytes.Index(b[i:], []byte("ptxas "))
		if n < 0 {
			return -1
		}
		if i += n; opensAt(b, i) {
			return i
		}
	}
	return -1
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// whole reads a text that is one whole message of ptxas into t.m: a Properties
// message with its stack line, or with nothing of it.
func (t *mender) whole(text []byte) bool {
	m := &t.m
	m.reset()
	if !scan.HasAt(text, 0, PtxasInfo) {
		if !opensAt(text, 0) {
			return false
		}
		m.Kind = Remark
		how, _ := sentence(text[len(PtxasInfo):]) // every severity is padded to as many bytes
		return how == agrees
	}
	line, stack, two := bytes.Cut(text[len(PtxasInfo):], []byte{'\n'})
	if resource(line, m) != len(line) || m.Cut || !PlainName(m.Name) || m.Kind == Entry && len(m.Arch) == 0 {
		how, _ := sentence(line)
		m.Kind = Remark
		return !two && how == agrees
	}
	if !two {
		return true
	}
	kind, name := m.Kind, m.Name
	if !scan.HasAt(stack, 0, stackIndent) || !ReadStackFrame(stack[len(stackIndent):], m) {
		return false
	}
	m.Kind, m.Name = kind, name
	return kind == Properties
}

// await notes an entry that was opened.
func (t *mender) await(name []byte) {
	if t.seen && len(name) > 0 {
		if len(t.names) == mostTorn {
			t.names = append(t.names[:0], t.names[1:]...)
		}
		t.names = append(t.names, bytes.Clone(name))
	}
}

// awaited reports whether the properties of an entry are to come.
func (x *Lexer) awaited(name []byte) bool {
	for _, n := range x.torn.names {
		if bytes.Equal(n, name) {
			return true
		}
	}
	return false
}

// awaitedBegin reports whether the head of a Properties message begins with a
// name of which some entry awaits them.
func (x *Lexer) awaitedBegin(head []byte) bool {
	begin := head[min(len(head), len(PtxasInfo)+len(PropertiesText)):]
	for _, n := range x.torn.names {
		if bytes.HasPrefix(n, begin) {
			return true
		}
	}
	return false
}

// awaitedOf reports whether a rest makes one of the heads name an entry whose
// properties are to come.
func (x *Lexer) awaitedOf(takers []int, rest []byte) bool {
	for _, i := range takers {
		if x.torn.whole(join(x.torn.heads[i].text, rest)) && x.awaited(x.torn.m.Name) {
			return true
		}
	}
	return false
}

func without(names [][]byte, name []byte) [][]byte {
	for i, n := range names {
		if bytes.Equal(n, name) {
			return append(names[:i], names[i+1:]...)
		}
	}
	return names
}
