package source

import "strings"

func (l *lexer) number() {
	start := l.pos()
	spliced := false
	for {
		spliced = l.run(func(c byte) bool { return isIdentPart(c) || c == '.' }) || spliced
		last := l.text[l.i-1]
		switch c := l.at(0); {
		case c == '\'' && isIdentPart(l.at(1)): // digit separator
			l.advance(1)
		case (c == '+' || c == '-') && strings.IndexByte("eEpP", last) >= 0 && isExponent(l.text[start.offset:l.i]):
			l.advance(1)
		default:
			text := l.text[start.offset:l.i]
			if spliced {
				text = unsplice(text)
			}
			l.emit(number, start, text)
			return
		}
	}
}

// isExponent reports whether the e or p that ends s begins an exponent: in
// 0xe the e is a digit.
func isExponent(s string) bool {
	hex := len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')
	last := s[len(s)-1] | 0x20
	return hex == (last == 'p')
}

// quotedFrom reads a literal up to its closing quote or the end of its line.
func (l *lexer) quotedFrom(start pos, quote byte, k kind) {
	l.advance(1)
	for l.i < len(l.text) {
		c := l.text[l.i]
		if n := continuation(l.text, l.i); n > 0 {
			l.advance(n)
			continue
		}
		if c == '\n' {
			break
		}
		if c == '\\' {
			l.advance(2)
			continue
		}
		l.advance(1)
		if c == quote {
			break
		}
	}
	l.emit(k, start, l.text[start.offset:l.i])
}

// raw reads a raw string, in which nothing is a comment, an escape or a
// continuation.
func (l *lexer) raw(start pos) {
	rest := l.text[l.i+1:]
	open := strings.IndexByte(rest, '(')
	if open < 0 || open > 16 || strings.ContainsAny(rest[:open], " \t\n\\)\"") {
		l.quotedFrom(start, '"', str)
		return
	}
	closing := ")" + rest[:open] + `"`
	n := len(l.text) - l.i
	if end := strings.Index(rest[open+1:], closing); end >= 0 {
		n = 1 + open + 1 + end + len(closing)
	}
	l.advance(n)
	l.emit(str, start, l.text[start.offset:l.i])
}

func isRawPrefix(s string) bool {
	return strings.HasSuffix(s, "R") && (s == "R" || isEncodingPrefix(s[:len(s)-1]))
}

func isEncodingPrefix(s string) bool {
	return s == "L" || s == "u" || s == "U" || s == "u8"
}
