package profile

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonScanner walks through JSON of any size and depth in bounded memory: it
// keeps one token, of which it stores at most as much as the caller wants. It
// is as strict as finding one's way needs, and no validator.
type jsonScanner struct {
	r     io.Reader
	buf   []byte // read and not consumed: buf[at:end]
	at    int
	end   int
	err   error // of reading, once buf is consumed
	lines int   // line breaks before buf[mark]
	mark  int
	text  []byte
	cut   bool // the last string was longer than what was kept
}

var (
	errJSONEnds = errors.New("the file ends inside its JSON")
	errJSON     = errors.New("not JSON")
)

func newJSONScanner(r io.Reader) *jsonScanner {
	return &jsonScanner{r: r, buf: make([]byte, 256<<10)}
}

// line is the line of the next byte, from 1.
func (s *jsonScanner) line() int {
	s.lines += bytes.Count(s.buf[s.mark:s.at], []byte("\n"))
	s.mark = s.at
	return s.lines + 1
}

// fill reads more; false at the end, with the error set.
func (s *jsonScanner) fill() bool {
	s.line()
	s.at, s.end, s.mark = 0, 0, 0
	for tries := 0; s.end == 0 && s.err == nil; tries++ {
		s.end, s.err = s.r.Read(s.buf)
		if tries == 100 {
			s.err = io.ErrNoProgress
		}
	}
	return s.end > 0
}

// byte returns the next byte.
func (s *jsonScanner) byte() (byte, error) {
	if s.at == s.end && !s.fill() {
		if errors.Is(s.err, io.EOF) {
			return 0, errJSONEnds
		}
		return 0, s.err
	}
	c := s.buf[s.at]
	s.at++
	return c, nil
}

// token returns the first byte that isn't blank.
func (s *jsonScanner) token() (byte, error) {
	for {
		c, err := s.byte()
		if err != nil || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c, err
		}
	}
}

// str reads a string whose opening quote is read, and keeps at most so many
// bytes of it, until the next call.
func (s *jsonScanner) str(most int) ([]byte, error) {
	s.text, s.cut = s.text[:0], false
	for {
		if _, err := s.byte(); err != nil {
			return nil, err
		}
		// What stands before the next quote is taken at once, unless an escape
		// does too.
		s.at--
		rest := s.buf[s.at:s.end]
		n := bytes.IndexByte(rest, '"')
		if n < 0 {
			n = len(rest)
		}
		if esc := bytes.IndexByte(rest[:n], '\\'); esc >= 0 {
			n = esc
		}
		keep := min(n, most-len(s.text))
		s.text = append(s.text, rest[:keep]...)
		s.cut = s.cut || keep < n
		s.at += n
		if s.at == s.end {
			continue
		}
		c := s.buf[s.at]
		s.at++
		if c == '"' {
			return s.text, nil
		}
		if err := s.escape(most); err != nil {
			return nil, err
		}
	}
}

func (s *jsonScanner) escape(most int) error {
	c, err := s.byte()
	if err != nil {
		return err
	}
	r := rune(c)
	switch c {
	case 'n':
		r = '\n'
	case 't':
		r = '\t'
	case 'r':
		r = '\r'
	case 'b':
		r = '\b'
	case 'f':
		r = '\f'
	case 'u':
		if r, err = s.hex(); err != nil {
			return err
		}
		if utf16.IsSurrogate(r) {
			r = s.pair(r)
		}
	}
	if len(s.text) >= most {
		s.cut = true
		return nil
	}
	s.text = utf8.AppendRune(s.text, r)
	return nil
}

func (s *jsonScanner) hex() (rune, error) {
	var digits [4]byte
	for i := range digits {
		c, err := s.byte()
		if err != nil {
			return 0, err
		}
		digits[i] = c
	}
	n, err := strconv.ParseUint(string(digits[:]), 16, 32)
	if err != nil {
		return 0, errJSON
	}
	return rune(n), nil
}

// pair reads the second half of a surrogate pair, if it is there.
func (s *jsonScanner) pair(high rune) rune {
	for _, want := range []byte("\\u") {
		c, err := s.byte()
		if err != nil {
			return utf8.RuneError
		}
		if c != want {
			s.at-- // what it is, is read next
			return utf8.RuneError
		}
	}
	low, err := s.hex()
	if err != nil {
		return utf8.RuneError
	}
	return utf16.DecodeRune(high, low)
}

// skip passes over the value that begins with c.
func (s *jsonScanner) skip(c byte) error {
	depth := 0
	for {
		switch c {
		case '"':
			if err := s.skipString(); err != nil {
				return err
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',', ':':
		default:
			if err := s.skipWord(); err != nil {
				return err
			}
		}
		if depth == 0 {
			return nil
		}
		if depth < 0 {
			return errJSON
		}
		var err error
		if c, err = s.token(); err != nil {
			return err
		}
	}
}

// skipString passes over a string whose opening quote is read.
func (s *jsonScanner) skipString() error {
	for {
		if _, err := s.byte(); err != nil {
			return err
		}
		s.at--
		n := bytes.IndexByte(s.buf[s.at:s.end], '"')
		if n < 0 {
			n = s.end - s.at
		}
		if esc := bytes.IndexByte(s.buf[s.at:s.at+n], '\\'); esc >= 0 {
			s.at += esc + 1
			if _, err := s.byte(); err != nil { // what is escaped
				return err
			}
			continue
		}
		s.at += n
		if s.at < s.end {
			s.at++
			return nil
		}
	}
}

// skipWord passes over the rest of a number or name.
func (s *jsonScanner) skipWord() error {
	for {
		c, err := s.byte()
		if err != nil {
			return err
		}
		switch c {
		case ',', ':', '}', ']', ' ', '\t', '\n', '\r', '"', '{', '[':
			s.at--
			return nil
		}
	}
}

// word reads a number or name that begins with c: 1.5, true, NaN.
func (s *jsonScanner) word(c byte) (string, error) {
	const most = 64
	s.text = append(s.text[:0], c)
	for {
		c, err := s.byte()
		if err != nil {
			return "", err
		}
		switch c {
		case ',', ':', '}', ']', ' ', '\t', '\n', '\r', '"', '{', '[':
			s.at--
			return string(s.text), nil
		}
		if len(s.text) >= most {
			return "", errJSON
		}
		s.text = append(s.text, c)
	}
}

// object calls each for the keys of an object whose brace is read, with the
// first byte of the value, which each reads to its end.
func (s *jsonScanner) object(each func(key string, c byte) error) error {
	for {
		c, err := s.token()
		switch {
		case err != nil:
			return err
		case c == '}':
			return nil
		case c == ',':
			continue
		case c != '"':
			return errJSON
		}
		text, err := s.str(64)
		if err != nil {
			return err
		}
		key := string(text)
		if c, err = s.token(); err != nil {
			return err
		}
		if c != ':' {
			return errJSON
		}
		if c, err = s.token(); err != nil {
			return err
		}
		if err := each(key, c); err != nil {
			return err
		}
	}
}

// array calls each for the elements of an array whose bracket is read.
func (s *jsonScanner) array(each func(c byte) error) error {
	for {
		c, err := s.token()
		switch {
		case err != nil:
			return err
		case c == ']':
			return nil
		case c == ',':
			continue
		}
		if err := each(c); err != nil {
			return err
		}
	}
}

// number reads a value as a number; false for other values, which are passed
// over.
func (s *jsonScanner) number(c byte) (x float64, ok bool, err error) {
	if c != '-' && (c < '0' || c > '9') {
		return 0, false, s.skip(c)
	}
	w, err := s.word(c)
	if err != nil {
		return 0, false, err
	}
	x, wrong := strconv.ParseFloat(w, 64)
	return x, wrong == nil, nil
}

// string reads a value as a string; other values are passed over.
func (s *jsonScanner) string(c byte, most int) ([]byte, error) {
	if c != '"' {
		return nil, s.skip(c)
	}
	return s.str(most)
}
