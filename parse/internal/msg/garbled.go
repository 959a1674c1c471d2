package msg

import "bytes"

// garbled recognises a message in UTF-16 in a log that is none: a program
// that writes UTF-16 appended to it. Its numbers are lost, so it must be said.
func garbled(b []byte, m *Message) bool {
	if bytes.IndexByte(b, 0) < 0 {
		return false
	}
	for _, tool := range [...]string{"p\x00t\x00x\x00a\x00s", "n\x00v\x00l\x00i\x00n\x00k"} {
		if bytes.Contains(b, []byte(tool)) {
			m.reset()
			m.Kind = Garbled
			return true
		}
	}
	return false
}
