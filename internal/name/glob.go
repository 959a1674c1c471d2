package name

import (
	"strings"
	"unicode/utf8"
)

// glob matches a whole text against literals with wildcards between them. It
// never goes back over a "*": the first place where a part fits is as good as
// any later one, so the work is bounded by the length of the text times the
// length of the longest part that holds a "?", and is linear without "?".
type glob struct {
	parts []part // what stands between the stars; at least one
}

// part is a text between two stars.
type part struct {
	text  string
	holes bool // the text holds wildOne
}

// newGlob compiles a text that holds wildAny and wildOne.
func newGlob(s string) glob {
	var g glob
	for text := range strings.SplitSeq(s, string([]byte{wildAny})) {
		g.parts = append(g.parts, part{text, strings.IndexByte(text, wildOne) >= 0})
	}
	return g
}

// exact returns the text that a glob without wildcards stands for.
func (g glob) exact() (text string, ok bool) {
	return g.parts[0].text, len(g.parts) == 1 && !g.parts[0].holes
}

// everything reports a glob of stars only.
func (g glob) everything() bool {
	for _, p := range g.parts {
		if p.text != "" {
			return false
		}
	}
	return len(g.parts) > 1
}

func (g glob) match(s string) bool {
	n, ok := g.parts[0].prefix(s)
	if !ok {
		return false
	}
	if len(g.parts) == 1 {
		return n == len(s)
	}
	s = s[n:]
	for _, p := range g.parts[1 : len(g.parts)-1] {
		_, end, ok := p.find(s)
		if !ok {
			return false
		}
		s = s[end:]
	}
	return g.parts[len(g.parts)-1].suffix(s)
}

// prefix reports whether s begins with p, and how many bytes of s that is.
func (p part) prefix(s string) (n int, ok bool) {
	if !p.holes {
		return len(p.text), strings.HasPrefix(s, p.text)
	}
	for i := range len(p.text) {
		if n >= len(s) {
			return 0, false
		}
		if p.text[i] == wildOne {
			n += runeLen(s[n:])
			continue
		}
		if s[n] != p.text[i] {
			return 0, false
		}
		n++
	}
	return n, true
}

// find returns where p first occurs in s.
func (p part) find(s string) (start, end int, ok bool) {
	if !p.holes {
		i := strings.Index(s, p.text)
		return i, i + len(p.text), i >= 0
	}
	for i := 0; ; i += runeLen(s[i:]) {
		if n, ok := p.prefix(s[i:]); ok {
			return i, i + n, true
		}
		if i >= len(s) {
			return 0, 0, false
		}
	}
}

// suffix reports whether s ends with p.
func (p part) suffix(s string) bool {
	if !p.holes {
		return strings.HasSuffix(s, p.text)
	}
	// A "?" stands for one character of one to four bytes, so the place where
	// p begins is found by counting characters from the end.
	start := len(s)
	for i := len(p.text); i > 0; i-- {
		if start == 0 {
			return false
		}
		if p.text[i-1] != wildOne {
			start--
			continue
		}
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	n, ok := p.prefix(s[start:])
	return ok && start+n == len(s)
}

// runeLen returns the length of the first character of s, 0 for an empty s.
func runeLen(s string) int {
	if s == "" || s[0] < utf8.RuneSelf {
		return min(1, len(s))
	}
	_, size := utf8.DecodeRuneInString(s)
	return size
}
