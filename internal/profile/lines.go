package profile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// mostLine is the longest line that is kept. The raw page of 2025 has 2,200
// columns and 60 KB in its longest line.
const mostLine = 4 << 20

// lines reads a report line by line, in bounded memory.
type lines struct {
	r    *bufio.Reader
	file string
	n    int    // of the current line, from 1
	buf  []byte // of a line that the reader's buffer doesn't hold
	text []byte // the current line without its end, until the next call
	cut  bool   // the current line was longer than mostLine
	err  error  // of reading; nil at the end of the file
	hold bool   // next returns the current line once more
}

func newLines(r io.Reader, file string) *lines {
	return &lines{r: bufio.NewReaderSize(r, 256<<10), file: file}
}

// next goes to the next line; false at the end or on an error of reading.
func (l *lines) next() bool {
	if l.hold {
		l.hold = false
		return true
	}
	l.buf, l.cut = l.buf[:0], false
	for {
		part, err := l.r.ReadSlice('\n')
		switch {
		case err == nil && len(l.buf) == 0:
			l.take(part)
			return true
		case len(l.buf)+len(part) <= mostLine:
			l.buf = append(l.buf, part...)
		default:
			l.cut = true
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err == nil || errors.Is(err, io.EOF) && len(l.buf) > 0:
			l.take(l.buf)
			return true
		default:
			if !errors.Is(err, io.EOF) {
				l.err = err
			}
			return false
		}
	}
}

func (l *lines) take(line []byte) {
	l.n++
	line = bytes.TrimSuffix(line, []byte("\n"))
	l.text = bytes.TrimSuffix(line, []byte("\r"))
}

// failed is the error of reading in words; nil when the file simply ended.
func (l *lines) failed() error {
	if l.err == nil {
		return nil
	}
	return &Error{Place{l.file, l.n + 1}, "reading stopped: " + l.err.Error(), ""}
}
