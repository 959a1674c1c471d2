package parse

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// input decodes a log to UTF-8: it unpacks gzip, drops a byte order mark and
// turns UTF-16 of either order into UTF-8 (PowerShell redirects write it).
// What can't be decoded is remembered and left out; it is the log's fault,
// not an I/O error.
type input struct {
	r     io.Reader
	fault string // what could not be decoded, "" for nothing
}

// newInput looks at the first bytes of r. It reads no further than it must,
// so that a pipe's first line is seen as it comes.
func newInput(r io.Reader) (*input, error) {
	in := &input{}
	head, r, err := peek(r, 2)
	if len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		z, zerr := gzip.NewReader(bufio.NewReader(r))
		if zerr != nil {
			in.fault = "a gzip header that is cut or damaged"
			in.r = bytes.NewReader(nil)
			return in, nil //nolint:nilerr // the log's fault, see input
		}
		r = &unpacker{z: z, in: in}
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
		} else if empty++; empty > mostEmptyReads && err == nil {
			err = io.ErrNoProgress
		}
	}
	if n == len(b) {
		err = nil
	}
	return n, err
}

// mostEmptyReads bounds how often a reader may give nothing in a row.
const mostEmptyReads = 100

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

// unpacker turns errors of gzip into a fault of the log.
type unpacker struct {
	z  *gzip.Reader
	in *input
}

func (u *unpacker) Read(b []byte) (int, error) {
	n, err := u.z.Read(b)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		u.in.fault = "the gzip file is cut"
	default:
		u.in.fault = fmt.Sprintf("the gzip file is damaged: %v", err)
	}
	return n, io.EOF
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

// utf16Reader decodes UTF-16.
type utf16Reader struct {
	r       io.Reader
	in      *input
	big     bool
	skip    int // bytes of the mark still to drop
	raw     [8 << 10]byte
	have    int
	out     []byte // decoded and not read yet
	store   []byte
	pending rune // a high surrogate
	ascii   int  // units in a row that are two ASCII letters each
	err     error
}

func (u *utf16Reader) Read(b []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(b, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *utf16Reader) fill() {
	n, err := u.r.Read(u.raw[u.have:])
	u.have += n
	i := 0
	if u.skip > 0 && u.have >= u.skip {
		i, u.skip = u.skip, 0
	}
	u.store = u.store[:0]
	if u.skip == 0 {
		for ; i+1 < u.have; i += 2 {
			u.unit(u.raw[i], u.raw[i+1])
		}
	}
	u.have = copy(u.raw[:], u.raw[i:u.have])
	if err != nil {
		u.err = err
		if u.have > 0 {
			u.damaged("UTF-16 text that ends inside a character")
		}
		u.flushSurrogate()
	}
	u.out = u.store
}

// unit decodes one 16-bit unit.
func (u *utf16Reader) unit(first, second byte) {
	r := rune(first) | rune(second)<<8
	if u.big {
		r = rune(first)<<8 | rune(second)
	}
	// Bytes of another encoding in UTF-16 read as rare Chinese characters, one
	// for two letters. So many in a row are no Chinese text.
	if u.ascii++; first < 0x20 || first > 0x7e || second < 0x20 || second > 0x7e {
		u.ascii = 0
	} else if u.ascii == 24 {
		u.damaged("a line in another encoding inside a log in UTF-16")
	}
	if u.pending != 0 {
		if pair := utf16.DecodeRune(u.pending, r); pair != utf8.RuneError {
			u.store = utf8.AppendRune(u.store, pair)
			u.pending = 0
			return
		}
		u.flushSurrogate()
	}
	switch {
	case r >= 0xd800 && r < 0xdc00:
		u.pending = r
	case r >= 0xdc00 && r < 0xe000:
		u.damaged("UTF-16 text with half a character")
		u.store = utf8.AppendRune(u.store, utf8.RuneError)
	default:
		u.store = utf8.AppendRune(u.store, r)
	}
}

func (u *utf16Reader) flushSurrogate() {
	if u.pending != 0 {
		u.pending = 0
		u.damaged("UTF-16 text with half a character")
		u.store = utf8.AppendRune(u.store, utf8.RuneError)
	}
}

func (u *utf16Reader) damaged(what string) {
	if u.in.fault == "" {
		u.in.fault = what
	}
}
