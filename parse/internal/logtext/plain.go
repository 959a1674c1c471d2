package logtext

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// A Plainer takes away what terminals, web pages and editors put into text:
// colours and cursor codes, entities and tags, curly quotes.
type Plainer struct {
	buf  [2][]byte // the lexer may still hold the line before
	turn int
}

// Text returns b in plain form, and whether it differs from b. It is valid
// until the call after the next that changes something, see Turn.
func (p *Plainer) Text(b []byte) ([]byte, bool) {
	escapes := bytes.IndexByte(b, 0x1b) >= 0
	entities := bytes.IndexByte(b, '&') >= 0 || bytes.IndexByte(b, '<') >= 0
	quotes := bytes.IndexByte(b, 0xe2) >= 0 || bytes.IndexByte(b, 0xc2) >= 0
	if !escapes && !entities && !quotes {
		return b, false
	}
	p.turn = 1 - p.turn
	out := p.buf[p.turn][:0]
	for i := 0; i < len(b); {
		n, as := 0, ""
		switch c := b[i]; {
		case c == 0x1b:
			n = escapeLen(b[i:])
		case c == '&':
			n, as = entity(b[i:])
		case c == '<':
			n = tagLen(b[i:])
		case c == 0xe2 && (scan.HasAt(b, i, "\u2018") || scan.HasAt(b, i, "\u2019")):
			n, as = len("\u2018"), "'"
		case c == 0xc2 && scan.HasAt(b, i, "\u00a0"):
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
	p.buf[p.turn] = out
	return out, true
}

// Turn tells which of two buffers the last changed text is in: a text is
// overwritten when its turn comes again.
func (p *Plainer) Turn() int { return p.turn }

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
		if scan.HasAt(b, 0, e.text) {
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
		if !scan.HasAt(b, 0, t) {
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
