package ptx

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxWord is the longest word that is kept whole. Names of nvcc's reach a few
// thousand bytes; what is longer than this is cut, and matches nothing.
const maxWord = 64 << 10

// token is a word, with its leading dot, or one character of punctuation.
type token struct {
	word         []byte // valid until the next token; nil for punctuation
	punct        byte   // 0 for a word
	line, column int
}

// scanner cuts PTX into tokens, without comments and strings. It holds one
// buffer, however long a line is.
type scanner struct {
	in        io.Reader
	file      string
	buf       []byte
	pos       int // of the next byte in buf
	line      int
	lineStart int // index in buf at which the line began; negative when that was dropped
	err       error
}

func newScanner(in io.Reader, file string) *scanner {
	return &scanner{in: in, file: file, line: 1, buf: make([]byte, 0, 4*maxWord)}
}

// more reads on. What lies before keep is dropped. It reports whether there is
// a byte at s.pos.
func (s *scanner) more(keep int) bool {
	for s.pos >= len(s.buf) && s.err == nil {
		s.buf = s.buf[:copy(s.buf, s.buf[keep:])]
		s.pos -= keep
		s.lineStart -= keep
		keep = 0
		n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		fresh := s.buf[len(s.buf) : len(s.buf)+n]
		s.buf = s.buf[:len(s.buf)+n]
		s.err = err
		if i := bytes.IndexByte(fresh, 0); i >= 0 {
			s.buf, s.err = s.buf[:len(s.buf)-n+i], s.binary()
		}
	}
	return s.pos < len(s.buf)
}

// binary is the error for what is no text.
func (s *scanner) binary() error {
	return fmt.Errorf("%s: it holds a NUL byte, so it is an object or another binary and no PTX: give the .ptx file that nvcc -ptx or nvcc -keep writes, or what cuobjdump -xptx all takes out of the binary", s.file)
}

// fault is what stopped the scanner, nil at the end of the text.
func (s *scanner) fault() error {
	if s.err == nil || errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// next returns the next token; ok is false at the end and at an error.
func (s *scanner) next() (t token, ok bool) {
	for s.pos < len(s.buf) || s.more(s.pos) {
		switch c := s.buf[s.pos]; {
		case c == '\n':
			s.pos++
			s.line++
			s.lineStart = s.pos
		case c <= ' ':
			s.pos++
		case c == '/':
			s.slash()
		case c == '"':
			s.pos++
			s.skipTo('"')
		case isWord(c) || c == '.':
			return s.word(), true
		default:
			t := token{punct: c, line: s.line, column: s.pos - s.lineStart + 1}
			s.pos++
			return t, true
		}
	}
	return token{}, false
}

// wordBytes tells the characters of words. A % begins the name of a register.
var wordBytes = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '%' || c >= 0x80
	}
	return is
}()

func isWord(c byte) bool { return wordBytes[c] }

// word reads one, from the dot or letter at s.pos.
func (s *scanner) word() token {
	t := token{line: s.line, column: s.pos - s.lineStart + 1}
	start := s.pos
	s.pos++
	for {
		for s.pos < len(s.buf) && isWord(s.buf[s.pos]) {
			s.pos++
		}
		if s.pos < len(s.buf) {
			break
		}
		if s.pos-start > maxWord { // its head is dropped, so that it matches nothing
			start = s.pos - 1
		}
		if s.err != nil {
			break // all that there is was read, and what stands before start stays
		}
		more := s.more(start)
		start = 0
		if !more {
			break
		}
	}
	t.word = s.buf[start:s.pos]
	return t
}

// slash skips a comment, or a stray slash.
func (s *scanner) slash() {
	s.pos++
	if s.pos >= len(s.buf) && !s.more(s.pos) {
		return
	}
	switch s.buf[s.pos] {
	case '/':
		s.skipLine()
	case '*':
		s.pos++
		for s.skipTo('*') {
			if s.pos < len(s.buf) || s.more(s.pos) {
				if s.buf[s.pos] == '/' {
					s.pos++
					return
				}
			}
		}
	}
}

// skipLine moves to the end of the line, which stays to be read.
func (s *scanner) skipLine() {
	for s.pos < len(s.buf) || s.more(s.pos) {
		if i := bytes.IndexByte(s.buf[s.pos:], '\n'); i >= 0 {
			s.pos += i
			return
		}
		s.pos = len(s.buf)
	}
}

// skipTo moves behind the next c. Strings of PTX end with their line: without
// that, one lost quote would hide the rest of a file.
func (s *scanner) skipTo(c byte) bool {
	for s.pos < len(s.buf) || s.more(s.pos) {
		b := s.buf[s.pos]
		if b == '\n' {
			if c == '"' {
				return false
			}
			s.line++
			s.lineStart = s.pos + 1
		}
		s.pos++
		if b == c {
			return true
		}
	}
	return false
}
