package name

import (
	"bytes"
	"io"
	"strings"
)

// LineWriter returns a writer for text that people read and that CI runners
// read as well. GitHub's takes a line for a command when it starts with "::",
// behind any blanks, so a colon at a line's start is written as \x3a: a kernel's
// name can stand first in a row, or be wrapped to there. Escape has the commands
// that begin anywhere in a line.
func LineWriter(w io.Writer) io.Writer { return &lineWriter{out: w} }

type lineWriter struct {
	out    io.Writer
	inLine bool // something stands in the line already
	buf    []byte
}

// Write implements io.Writer.
func (l *lineWriter) Write(p []byte) (int, error) {
	if _, err := l.out.Write(l.inert(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// inert is p with the colons at the start of its lines escaped.
func (l *lineWriter) inert(p []byte) []byte {
	l.buf = l.buf[:0]
	kept := 0 // what of p is in buf
	for i := 0; i < len(p); i++ {
		if l.inLine {
			end := bytes.IndexByte(p[i:], '\n')
			if end < 0 {
				break
			}
			i += end
			l.inLine = false
			continue
		}
		switch p[i] {
		case ' ', '\t', '\r', '\n':
			continue
		case ':':
			l.buf = append(append(l.buf, p[kept:i]...), `\x3a`...)
			kept = i + 1
		}
		l.inLine = true
	}
	if kept == 0 {
		return p
	}
	return append(l.buf, p[kept:]...)
}

// EscapeLines is Escape for a message of several lines, none of which can be
// a command. Its first line stands behind other text.
func EscapeLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = Escape(line)
	}
	l := lineWriter{inLine: true}
	return string(l.inert([]byte(strings.Join(lines, "\n"))))
}
