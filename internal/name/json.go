package name

import (
	"bytes"
	"io"
	"slices"
	"unicode/utf8"
)

// JSONWriter returns a writer for JSON that people may see in a terminal. What
// JSON allows in a string as it is and Escape would rewrite, U+202E or U+009B,
// and the [ of ##[, is written as an escape of JSON's own: readers get the same text, byte for
// byte. The writer holds back a character that is not whole yet; JSON ends
// with none.
func JSONWriter(w io.Writer) io.Writer { return &jsonWriter{out: w} }

type jsonWriter struct {
	out  io.Writer
	held []byte // the start of a character
	buf  []byte
}

// Write implements io.Writer.
func (j *jsonWriter) Write(p []byte) (int, error) {
	b := p
	if len(j.held) > 0 {
		b = slices.Concat(j.held, p)
	}
	whole := len(b) - partial(b)
	j.held = append(j.held[:0], b[whole:]...)
	b = b[:whole]
	if i := jsonUnsafeAt(b); i < len(b) {
		j.buf = appendJSON(j.buf[:0], b, i)
		b = j.buf
	}
	if len(b) == 0 {
		return len(p), nil
	}
	if _, err := j.out.Write(b); err != nil {
		return 0, err
	}
	return len(p), nil
}

// partial is how many bytes at the end of b begin a character, or the ## of ##[,
// and don't end it.
func partial(b []byte) int {
	if bytes.HasSuffix(b, []byte("#")) {
		return min(len(b)-len(bytes.TrimRight(b, "#")), 2)
	}
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if utf8.FullRune(b[len(b)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// jsonUnsafeAt returns the index of the first character to escape, or the
// length of b. Control characters below U+0020 are escaped in strings already;
// between them they are JSON's line breaks and blanks.
func jsonUnsafeAt(b []byte) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			if b[i] == 0x7f || b[i] == '[' && bytes.HasSuffix(b[:i], []byte("##")) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if hidden(r) {
			return i
		}
		i += size
	}
	return len(b)
}

// appendJSON appends b to dst with its characters escaped from the i-th byte on.
func appendJSON(dst, b []byte, i int) []byte {
	for i < len(b) {
		dst = append(dst, b[:i]...)
		r, size := utf8.DecodeRune(b[i:])
		if r >= 0x10000 {
			r -= 0x10000
			dst = appendJSONEscape(dst, 0xd800+r>>10)
			dst = appendJSONEscape(dst, 0xdc00+r&0x3ff)
		} else {
			dst = appendJSONEscape(dst, r)
		}
		b = b[i+size:]
		i = jsonUnsafeAt(b)
	}
	return append(dst, b...)
}

func appendJSONEscape(dst []byte, r rune) []byte {
	dst = append(dst, `\u`...)
	for shift := 12; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[r>>shift&15])
	}
	return dst
}
