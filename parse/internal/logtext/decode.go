package logtext

import (
	"bytes"
	"errors"
	"io"
)

// A Decoder reads a log as UTF-8: it unpacks gzip, bzip2
// and zstd, drops a byte order mark and
// turns UTF-16 of either order into UTF-8 (PowerShell redirects write it).
// What can't be decoded is remembered and left out; it is the log's fault,
// not an I/O error.
type Decoder struct {
	r     io.Reader
	fault string
}

// Read reads decoded bytes. Its errors are those of the reader below.
func (d *Decoder) Read(b []byte) (int, error) { return d.r.Read(b) }

// Fault says what could not be decoded so far, "" for nothing.
func (d *Decoder) Fault() string { return d.fault }

// NewDecoder looks at the first bytes of r. It reads no further than it must,
// so that a pipe's first line is seen as it comes.
func NewDecoder(r io.Reader) (*Decoder, error) {
	in := &Decoder{}
	head, r, err := peek(r, 2)
	magic, r, isPacked := packed(head, r)
	if isPacked {
		if r = in.unpack(magic, r); r == nil {
			in.r = bytes.NewReader(nil)
			return in, nil
		}
		head, r, err = peek(r, 2)
	}
	in.r = r
	switch {
	case len(head) < 2:
	case head[0] == 0xff && head[1] == 0xfe:
		in.r = &utf16Reader{r: r, in: in, skip: 2}
	case head[0] == 0xfe && head[1] == 0xff:
		in.r = &utf16Reader{r: r, in: in, big: true, skip: 2}
	case head[0] != 0 && head[1] == 0:
		// No mark, but every other byte of ASCII text is 0.
		in.r = &utf16Reader{r: r, in: in}
	case head[0] == 0 && head[1] != 0:
		in.r = &utf16Reader{r: r, in: in, big: true}
	case head[0] == 0xef && head[1] == 0xbb:
		in.r = &markSkipper{r: r}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return in, err
}

// peek reads the first n bytes and returns a reader that has them again.
func peek(r io.Reader, n int) ([]byte, io.Reader, error) {
	head := make([]byte, n)
	got, err := readFull(r, head)
	head = head[:got]
	return head, &prefixed{head: head, r: r, err: err}, err
}

// readFull fills b. Unlike io.ReadFull it gives up on a reader that gives
// nothing and no error time and again.
func readFull(r io.Reader, b []byte) (n int, err error) {
	for empty := 0; n < len(b) && err == nil; {
		var more int
		more, err = r.Read(b[n:])
		n += more
		if more > 0 {
			empty = 0
		} else if empty++; empty > MostEmptyReads && err == nil {
			err = io.ErrNoProgress
		}
	}
	if n == len(b) {
		err = nil
	}
	return n, err
}

// MostEmptyReads bounds how often a reader may give nothing in a row.
const MostEmptyReads = 100

// prefixed reads head, then r. Unlike io.MultiReader it fills a read from
// both, and it has the error that ended the peeking.
type prefixed struct {
	head []byte
	r    io.Reader
	err  error
}

func (p *prefixed) Read(b []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	return p.r.Read(b)
}

// markSkipper drops a UTF-8 byte order mark.
type markSkipper struct {
	r    io.Reader
	done bool
}

func (m *markSkipper) Read(b []byte) (int, error) {
	if m.done || len(b) < 3 {
		return m.r.Read(b)
	}
	m.done = true
	n, err := readFull(m.r, b[:3])
	if bytes.Equal(b[:n], []byte("\xef\xbb\xbf")) {
		if err != nil {
			return 0, err
		}
		return m.r.Read(b)
	}
	return n, err
}
