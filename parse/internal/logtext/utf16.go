package logtext

import (
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// utf16Reader decodes UTF-16.
type utf16Reader struct {
	r       io.Reader
	in      *Decoder
	big     bool
	skip    int // bytes of the mark still to drop
	raw     [8 << 10]byte
	have    int
	out     []byte // decoded and not read yet
	store   []byte
	pending rune // a high surrogate
	ascii   int  // code units in a row that are two ASCII letters each
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
			u.codeUnit(u.raw[i], u.raw[i+1])
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

// codeUnit decodes one 16-bit code unit.
func (u *utf16Reader) codeUnit(first, second byte) {
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
