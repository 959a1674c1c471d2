package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// listing recognises the lines of cuobjdump -res-usage:
//
//	arch = sm_80
//	Resource usage:
//	 Common:
//	  GLOBAL:56 CONSTANT[3]:28
//	 Function NAME:
//	  REG:24 STACK:8 SHARED:0 LOCAL:0 CONSTANT[0]:472 TEXTURE:0 SURFACE:0 SAMPLER:0
func listing(b []byte, m *Message) bool {
	t := bytes.TrimSpace(b)
	if len(t) < 5 {
		return false
	}
	switch t[0] {
	case 'a':
		const begin = "arch = "
		if scan.HasAt(t, 0, begin+"sm_") {
			m.Kind, m.Arch = ListArch, t[len(begin):]
			return true
		}
	case 'R':
		if string(t) == "Resource usage:" {
			m.Kind = ListBlock
			return true
		}
	case 'F':
		if scan.HasAt(t, 0, "Function ") && t[len(t)-1] == ':' {
			m.Kind, m.Name = ListFunction, t[len("Function "):len(t)-1]
			return len(m.Name) > 0 && string(m.Name) != "properties" && !bytes.HasPrefix(m.Name, []byte("properties for "))
		}
	case 'G':
		if scan.HasAt(t, 0, "GLOBAL:") {
			return counts(t, ListCommon, m)
		}
	}
	if i := bytes.Index(t, []byte("REG:")); i >= 0 && bytes.Contains(t[i:], []byte(" STACK:")) {
		return counts(t[i:], ListData, m)
	}
	return false
}

// counts reads the KEY:NUMBER list of a listing's data line. STACK is UNKNOWN
// for a recursive kernel; that is absent.
func counts(b []byte, kind Kind, m *Message) bool {
	m.Kind = kind
	for len(b) > 0 {
		word, rest, _ := bytes.Cut(b, []byte{' '})
		b = bytes.TrimLeft(rest, " ")
		key, value, found := bytes.Cut(word, []byte{':'})
		if i := bytes.IndexByte(value, '`'); i > 0 { // quoted in prose
			value = value[:i]
		}
		n, end, ok := scan.Decimal(value, 0)
		if !found || !ok || end != len(value) || n > MostNumber && string(key) != "GLOBAL" {
			m.Cut = m.Cut || string(value) != "UNKNOWN"
			continue
		}
		m.count(key, n)
	}
	if kind == ListData {
		// The line is always written to its last key.
		m.Cut = m.Cut || !m.Samplers.Stated()
		return m.Registers.Stated()
	}
	return m.Global.Stated()
}

// count stores one number of a listing.
func (m *Message) count(key []byte, n int64) {
	switch string(key) {
	case "REG":
		m.Registers = some(n)
	case "STACK":
		m.Stack = some(n)
	case "SHARED":
		m.Shared = some(n)
	case "LOCAL":
		m.Local = some(n)
	case "TEXTURE":
		m.Textures = some(n)
	case "SURFACE":
		m.Surfaces = some(n)
	case "SAMPLER":
		m.Samplers = some(n)
	case "GLOBAL":
		m.Global = someSize(n)
	default:
		const begin = "CONSTANT["
		if scan.HasAt(key, 0, begin) {
			if bank, end, ok := scan.Decimal(key, len(begin)); ok && scan.HasAt(key, end, "]") {
				m.addBank(bank, n)
			}
		}
	}
}
