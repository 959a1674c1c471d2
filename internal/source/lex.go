package source

import (
	"strings"
	"unicode/utf8"
)

// file is one file of the project, as tokens.
type file struct {
	path     string // relative to the root, with slashes
	text     string
	tokens   []token // without comments; directives start with a first '#'
	comments []comment
	written  map[int32]string // attributes as they stand at an offset

	// What stays of the tokens when they are released.
	lines   []token // the directives
	outline outline
	guardBy string // the macro that guards the whole file against a second inclusion
	whole   bool   // the text between the directives is read, not only they
}

// lex cuts text into tokens. It never fails: a stray byte is a punctuator, an
// unterminated string ends with its line.
func lex(path, text string) *file {
	f := &file{path: path, text: text, whole: true}
	f.load()
	return f
}

// release gives the tokens back, which take many times the memory of the text;
// load makes them anew.
func (f *file) release() { f.tokens = nil }

func (f *file) load() {
	if f.tokens != nil {
		return
	}
	f.comments = nil
	text := f.text
	l := &lexer{file: f, text: text, line: 1, col: 1, first: true}
	if strings.HasPrefix(text, "\ufeff") {
		l.i = len("\ufeff")
	}
	f.tokens = make([]token, 0, len(text)/5+1)
	for l.next() {
	}
}

type lexer struct {
	file      *file
	text      string
	i         int
	line, col int32
	first     bool // no token on this line yet
	space     bool
}

// at returns the byte n places on, or 0 at the end. It knows nothing of line
// continuations, which splice handles where they matter.
func (l *lexer) at(n int) byte {
	if l.i+n < len(l.text) {
		return l.text[l.i+n]
	}
	return 0
}

// advance moves over n bytes and keeps line and column.
func (l *lexer) advance(n int) {
	for end := min(l.i+n, len(l.text)); l.i < end; {
		c := l.text[l.i]
		switch {
		case c == '\n':
			l.line, l.col = l.line+1, 1
			l.i++
		case c < utf8.RuneSelf:
			l.col++
			l.i++
		default:
			_, size := utf8.DecodeRuneInString(l.text[l.i:])
			l.col++
			l.i += size
		}
	}
}

// continuation returns the length of a backslash, optional blanks and a line
// break at i, or 0. GCC and nvcc allow the blanks.
func continuation(s string, i int) int {
	if i >= len(s) || s[i] != '\\' {
		return 0
	}
	j := i + 1
	for j < len(s) && (s[j] == ' ' || s[j] == '\t' || s[j] == '\r') {
		j++
	}
	if j < len(s) && s[j] == '\n' {
		return j + 1 - i
	}
	return 0
}

func (l *lexer) next() bool {
	if l.i >= len(l.text) {
		return false
	}
	c := l.text[l.i]
	if n := continuation(l.text, l.i); n > 0 {
		l.advance(n)
		l.space = true
		return true
	}
	switch {
	case c == '\n':
		l.advance(1)
		l.first, l.space = true, true
	case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
		l.advance(1)
		l.space = true
	case c == '/' && l.at(1) == '/':
		l.lineComment()
	case c == '/' && l.at(1) == '*':
		l.blockComment()
	case isIdentStart(c):
		l.word()
	case isDigit(c) || c == '.' && isDigit(l.at(1)):
		l.number()
	case c == '"':
		l.quotedFrom(l.pos(), '"', str)
	case c == '\'':
		l.quotedFrom(l.pos(), '\'', char)
	default:
		l.punct()
	}
	return true
}

func (l *lexer) pos() pos {
	return pos{l.file, l.line, l.col, int32(l.i)}
}

func (l *lexer) emit(k kind, p pos, text string) {
	l.file.tokens = append(l.file.tokens, token{kind: k, text: text, pos: p, space: l.space, first: l.first})
	l.first, l.space = false, false
}

func (l *lexer) lineComment() {
	alone := l.first
	start := l.pos()
	l.advance(2)
	from := l.i
	for l.i < len(l.text) && l.text[l.i] != '\n' {
		if n := continuation(l.text, l.i); n > 0 {
			l.advance(n)
			continue
		}
		l.advance(1)
	}
	l.file.comments = append(l.file.comments, comment{text: l.text[from:l.i], pos: start, alone: alone, last: l.line})
	l.space = true
}

func (l *lexer) blockComment() {
	alone := l.first
	start := l.pos()
	body := l.text[l.i+2:]
	if end := strings.Index(body, "*/"); end >= 0 {
		body = body[:end]
		l.advance(2 + end + 2)
	} else {
		l.advance(len(l.text) - l.i)
	}
	l.file.comments = append(l.file.comments, comment{text: body, pos: start, alone: alone, last: l.line})
	l.space = true
}

// word reads an identifier, or the string or character literal that it is
// the prefix of.
func (l *lexer) word() {
	start := l.pos()
	spliced := l.run(isIdentPart)
	text := l.text[start.offset:l.i]
	if spliced {
		text = unsplice(text)
	}
	switch quote := l.at(0); {
	case quote == '"' && isRawPrefix(text):
		l.raw(start)
		return
	case quote == '"' && isEncodingPrefix(text):
		l.quotedFrom(start, '"', str)
		return
	case quote == '\'' && isEncodingPrefix(text):
		l.quotedFrom(start, '\'', char)
		return
	}
	l.emit(ident, start, text)
}

// run advances over bytes that ok accepts and over continuations between
// them, and reports whether there were any of the latter.
func (l *lexer) run(ok func(byte) bool) (spliced bool) {
	for l.i < len(l.text) {
		if ok(l.text[l.i]) {
			l.advance(1)
			continue
		}
		n := continuation(l.text, l.i)
		if n == 0 || l.i+n >= len(l.text) || !ok(l.text[l.i+n]) {
			break
		}
		l.advance(n)
		spliced = true
	}
	return spliced
}

func unsplice(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		if n := continuation(s, i); n > 0 {
			i += n
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// digraphs spells out the alternative punctuators.
var digraphs = [...][2]string{{"<%", "{"}, {"%>", "}"}, {"%:", "#"}, {"<:", "["}, {":>", "]"}}

// operators of more than one byte, longest first. The shift right is not
// here: two closing angle brackets are cut apart, and the evaluator puts them
// together again.
var operators = [...]string{"<<=", "...", "->*", "::", "##", "&&", "||", "==", "!=", "<=", ">=", "<<", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

func (l *lexer) punct() {
	start := l.pos()
	rest := l.text[l.i:]
	for _, d := range digraphs {
		if !strings.HasPrefix(rest, d[0]) {
			continue
		}
		// <:: is < and :: unless a : or > follows.
		if d[0] == "<:" && strings.HasPrefix(rest, "<::") && !strings.HasPrefix(rest, "<:::") && !strings.HasPrefix(rest, "<::>") {
			continue
		}
		l.advance(2)
		l.emit(punct, start, d[1])
		return
	}
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			l.advance(len(op))
			l.emit(punct, start, op)
			return
		}
	}
	l.advance(1)
	l.emit(punct, start, rest[:l.i-int(start.offset)])
}

func isIdentStart(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf
}

func isIdentPart(c byte) bool { return isIdentStart(c) || isDigit(c) }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
