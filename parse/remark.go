package parse

import "bytes"

// remark reads any other message of a tool: its code and the kernel that it
// names.
func remark(text []byte, m *message) {
	m.kind = msgRemark
	if len(text) > 2 && text[0] == '(' && text[1] == 'C' {
		if n, i, _ := decimal(text, 2); n > 0 && hasAt(text, i, ")") {
			m.code = text[1:i]
			text = bytes.TrimLeft(text[i+1:], " ")
		}
	}
	m.text = text
	m.name = namedKernel(text)
	if i := bytes.LastIndex(text, []byte("(target: ")); i >= 0 {
		m.arch, _ = target(text[i:])
	}
}

// quoted are the words before a quoted name, tried in this order.
var quoted = [...]string{"ntry function '", "function '", "for '"}

// namedKernel finds the entry or function that a message is about. Names are
// quoted, except after the word entry.
func namedKernel(text []byte) []byte {
	for _, q := range quoted {
		i := bytes.Index(text, []byte(q))
		if i < 0 {
			continue
		}
		rest := text[i+len(q):]
		if end := bytes.IndexByte(rest, '\''); end > 0 {
			return rest[:end]
		}
		return nil
	}
	const entry = "or entry "
	i := bytes.Index(text, []byte(entry))
	if i < 0 {
		return nil
	}
	rest := text[i+len(entry):]
	for _, after := range [...]string{" is out of range", " adjusting ", ", will be ignored", " for regclass "} {
		if end := bytes.Index(rest, []byte(after)); end > 0 {
			return rest[:end]
		}
	}
	return nil
}
