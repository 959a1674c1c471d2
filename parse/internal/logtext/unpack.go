package logtext

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
)

// The first bytes of what logs are packed by.
var (
	gzipMagic  = []byte{0x1f, 0x8b}
	bzip2Magic = []byte("BZh")
	zstdMagic  = []byte{0x28, 0xb5, 0x2f, 0xfd}
	xzMagic    = []byte{0xfd, '7', 'z', 'X', 'Z', 0}
)

// zstdWindow bounds what a hostile frame can have a decoder hold, in bytes.
// zstd's own -19 has windows of 8 MiB, --long 128 MiB.
const zstdWindow = 128 << 20

// packed reports a log that is packed, by its first two bytes and, where those
// are like one, by the rest of the magic number. The reader has all bytes again.
func packed(head []byte, r io.Reader) (magic []byte, again io.Reader, ok bool) {
	for _, magic := range [...][]byte{gzipMagic, bzip2Magic, zstdMagic, xzMagic} {
		if len(head) < 2 || !bytes.HasPrefix(magic, head) {
			continue
		}
		whole, r, _ := peek(r, len(magic))
		return magic, r, bytes.Equal(whole, magic)
	}
	return nil, r, false
}

// unpack returns what a packed log holds; nil, with a fault, where it can't.
func (d *Decoder) unpack(magic []byte, r io.Reader) io.Reader {
	buffered := bufio.NewReader(r)
	switch {
	case bytes.Equal(magic, gzipMagic):
		z, err := gzip.NewReader(buffered)
		if err != nil {
			d.fault = "a gzip header that is cut or damaged"
			return nil
		}
		return &unpacker{r: z, d: d, what: "gzip"}
	case bytes.Equal(magic, bzip2Magic):
		return &unpacker{r: bzip2.NewReader(buffered), d: d, what: "bzip2"}
	case bytes.Equal(magic, zstdMagic):
		z, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			d.fault = "a zstd header that is cut or damaged"
			return nil
		}
		return &unpacker{r: z, d: d, what: "zstd"}
	}
	d.fault = "this is an xz file, which is not unpacked here; pipe what xz -dc prints"
	return nil
}

// unpacker turns errors of a packed log into the log's fault.
type unpacker struct {
	r    io.Reader
	d    *Decoder
	what string
}

func (u *unpacker) Read(b []byte) (int, error) {
	n, err := u.r.Read(b)
	switch {
	case err == nil || errors.Is(err, io.EOF):
		return n, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		u.d.fault = "the " + u.what + " file is cut"
	default:
		u.d.fault = fmt.Sprintf("the %s file is damaged: %v", u.what, err)
	}
	return n, io.EOF
}
