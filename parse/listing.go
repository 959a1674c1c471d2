package parse

import "bytes"

// listing recognises the lines of cuobjdump -res-usage:
//
//	arch = sm_80
//	Resource usage:
//	 Common:
//	  GLOBAL:56 CONSTANT[3]:28
//	 Function NAME:
//	  REG:24 STACK:8 SHARED:0 LOCAL:0 CONSTANT[0]:472 TEXTURE:0 SURFACE:0 SAMPLER:0
func listing(b []byte, m *message) bool {
	t := bytes.TrimSpace(b)
	if len(t) < 5 {
		return false
	}
	switch t[0] {
	case 'a':
		const head = "arch = "
		if hasAt(t, 0, head+"sm_") {
			m.kind, m.arch = msgTarget, t[len(head):]
			return true
		}
	case 'R':
		if string(t) == "Resource usage:" {
			m.kind = msgBlock
			return true
		}
	case 'F':
		if hasAt(t, 0, "Function ") && t[len(t)-1] == ':' {
			m.kind, m.name = msgListed, t[len("Function "):len(t)-1]
			return len(m.name) > 0 && !bytes.HasPrefix(m.name, []byte("properties for "))
		}
	case 'G':
		if hasAt(t, 0, "GLOBAL:") {
			return counts(t, msgCommon, m)
		}
	}
	if i := bytes.Index(t, []byte("REG:")); i >= 0 && bytes.Contains(t[i:], []byte(" STACK:")) {
		return counts(t[i:], msgData, m)
	}
	return false
}

// counts reads the KEY:NUMBER list of a listing's data line. STACK is UNKNOWN
// for a recursive kernel; that is absent.
func counts(b []byte, kind msgKind, m *message) bool {
	m.kind = kind
	for len(b) > 0 {
		word, rest, _ := bytes.Cut(b, []byte{' '})
		b = bytes.TrimLeft(rest, " ")
		key, value, found := bytes.Cut(word, []byte{':'})
		n, end, ok := decimal(value, 0)
		if !found || !ok || end != len(value) || n > maxCount && string(key) != "GLOBAL" {
			m.cut = m.cut || string(value) != "UNKNOWN"
			continue
		}
		m.count(key, n)
	}
	if kind == msgData {
		// The line is always written to its last key.
		m.cut = m.cut || !m.samplers.Stated()
		return m.registers.Stated()
	}
	return m.global.Stated()
}

// count stores one number of a listing.
func (m *message) count(key []byte, n int64) {
	switch string(key) {
	case "REG":
		m.registers = Some(n)
	case "STACK":
		m.stack = Some(n)
	case "SHARED":
		m.shared = Some(n)
	case "LOCAL":
		m.local = Some(n)
	case "TEXTURE":
		m.textures = Some(n)
	case "SURFACE":
		m.surfaces = Some(n)
	case "SAMPLER":
		m.samplers = Some(n)
	case "GLOBAL":
		m.global = SomeSize(n)
	default:
		const head = "CONSTANT["
		if hasAt(key, 0, head) {
			if bank, end, ok := decimal(key, len(head)); ok && hasAt(key, end, "]") {
				m.addBank(bank, n)
			}
		}
	}
}
