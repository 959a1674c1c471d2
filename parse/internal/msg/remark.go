package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// remark reads any other message of a tool: its code and the kernel that it
// names.
func remark(text []byte, m *Message) {
	m.Kind = Remark
	if len(text) > 2 && text[0] == '(' && text[1] == 'C' {
		if n, i, _ := scan.Decimal(text, 2); n > 0 && scan.HasAt(text, i, ")") {
			m.Code = text[1:i]
			text = bytes.TrimLeft(text[i+1:], " ")
		}
	}
	m.Text = text
	m.Name = namedKernel(text)
	if i := bytes.LastIndex(text, []byte("(target: ")); i >= 0 {
		m.Arch, _ = target(text[i:])
	}
}

// namedKernel finds the entry or function that a message is about: by the
// sentence where it is a known one, else as the name in quotes behind the word
// function.
func namedKernel(text []byte) []byte {
	if how, kernel := sentence(text); how != differs {
		return kernel
	}
	for _, q := range [...]string{"ntry function '", "function '"} {
		if i := bytes.Index(text, []byte(q)); i >= 0 {
			return quotedName(text[i+len(q):])
		}
	}
	return nil
}

// quotedName returns what stands before the closing quote. A name can hold
// quotes, so the closing one has no letter behind it, and leaves as many
// opening as closing ones.
func quotedName(rest []byte) []byte {
	for i := 0; ; i++ {
		n := bytes.IndexByte(rest[i:], '\'')
		if n < 0 {
			return nil
		}
		i += n
		after := rest[i+1:]
		if i > 0 && (len(after) == 0 || bytes.IndexByte([]byte(" .,;:)"), after[0]) >= 0) && bytes.Count(after, []byte{'\''})%2 == 0 {
			return rest[:i]
		}
	}
}
