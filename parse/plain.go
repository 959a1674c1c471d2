package parse

import "bytes"

// A plainer takes away what terminals, web pages and editors put into text:
// colours and cursor codes, entities and tags, curly quotes.
type plainer struct {
	buf [2][]byte // the lexer may still hold the line before
	use int
}

// text returns b in plain form, and whether it differs from b. It is valid
// until the call after the next.
func (p *plainer) text(b []byte) ([]byte, bool) {
	escapes := bytes.IndexByte(b, 0x1b) >= 0
	entities := bytes.IndexByte(b, '&') >= 0 || bytes.IndexByte(b, '<') >= 0
	quotes := bytes.IndexByte(b, 0xe2) >= 0 || bytes.IndexByte(b, 0xc2) >= 0
	if !escapes && !entities && !quotes {
		return b, false
	}
	p.use = 1 - p.use
	out := p.buf[p.use][:0]
	for i := 0; i < len(b); {
		n, as := 0, ""
		switch c := b[i]; {
		case c == 0x1b:
			n = escapeLen(b[i:])
		case c == '&':
			n, as = entity(b[i:])
		case c == '<':
			n = tagLen(b[i:])
		case c == 0xe2 && (hasAt(b, i, "\u2018") || hasAt(b, i, "\u2019")):
			n, as = len("\u2018"), "'"
		case c == 0xc2 && hasAt(b, i, "\u00a0"):
			n, as = len("\u00a0"), " "
		}
		if n == 0 {
			out = append(out, b[i])
			i++
			continue
		}
		out = append(out, as...)
		i += n
	}
	p.buf[p.use] = out
	return out, true
}

// escapeLen returns the length of the terminal code that b begins with:
// ESC [ … letter, ESC ] … BEL, or ESC and one more.
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
			if b[i] < 0x20 || b[i] > 0x7e {
				return i
			}
		}
		return len(b)
	case ']':
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b {
				return min(i+2, len(b))
			}
		}
		return len(b)
	}
	return 2
}

// entities are those that logs on web pages have.
var entities = [...]struct{ text, as string }{
	{"&#39;", "'"}, {"&#x27;", "'"}, {"&apos;", "'"}, {"&quot;", `"`}, {"&#34;", `"`},
	{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&nbsp;", " "},
}

func entity(b []byte) (n int, as string) {
	for _, e := range entities {
		if hasAt(b, 0, e.text) {
			return len(e.text), e.as
		}
	}
	return 0, ""
}

// tags are those that logs on web pages have. A name can hold `<` too, so
// only these are taken for tags.
var tags = [...]string{"<span", "</span>", "<br>", "<br/>", "<br />", "<code>", "</code>", "<pre>", "</pre>", "<div", "</div>"}

func tagLen(b []byte) int {
	for _, t := range tags {
		if !hasAt(b, 0, t) {
			continue
		}
		if t[len(t)-1] == '>' {
			return len(t)
		}
		if len(b) > len(t) && (b[len(t)] == ' ' || b[len(t)] == '>') {
			const longest = 512
			if i := bytes.IndexByte(b[:min(len(b), longest)], '>'); i >= 0 {
				return i + 1
			}
		}
	}
	return 0
}

// garbled recognises a message in UTF-16 in a log that is none: a program
// that writes UTF-16 appended to it. Its numbers are lost, so it must be said.
func garbled(b []byte, m *message) bool {
	if bytes.IndexByte(b, 0) < 0 {
		return false
	}
	for _, tool := range [...]string{"p\x00t\x00x\x00a\x00s", "n\x00v\x00l\x00i\x00n\x00k"} {
		if bytes.Contains(b, []byte(tool)) {
			m.reset()
			m.kind = msgGarbled
			return true
		}
	}
	return false
}
