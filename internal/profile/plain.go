package profile

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

const (
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
	utf16LE   = "\xff\xfe"
	utf16BE   = "\xfe\xff"

	// mostZstdWindow is what a zstd frame may ask to keep of what it unpacked;
	// zstd --ultra --long asks for 128 MiB.
	mostZstdWindow = 128 << 20
)

// plainReader unpacks gzip and zstd (.ncu-repz is a report in a zstd frame),
// and turns UTF-16, which the redirection of Windows PowerShell writes, into
// UTF-8. All of it streams: a bomb costs time and no memory.
func plainReader(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, SniffBytes)
	head, _ := in.Peek(len(zstdMagic))
	switch {
	case bytes.HasPrefix(head, []byte(gzipMagic)):
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, errPacked(err)
		}
		in = bufio.NewReaderSize(unpackReader{z}, SniffBytes)
	case bytes.HasPrefix(head, []byte(zstdMagic)):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(mostZstdWindow))
		if err != nil {
			return nil, errPacked(err)
		}
		in = bufio.NewReaderSize(unpackReader{z}, SniffBytes)
	}
	head, _ = in.Peek(2)
	if s := string(head); s == utf16LE || s == utf16BE {
		in = bufio.NewReaderSize(transform.NewReader(in, unicode.BOMOverride(transform.Nop)), SniffBytes)
	}
	return in, nil
}

// unpackReader says of any fault of the packed stream that it is one.
type unpackReader struct{ r io.Reader }

func (u unpackReader) Read(b []byte) (int, error) {
	n, err := u.r.Read(b)
	if err != nil && err != io.EOF { //nolint:errorlint // a reader's end is io.EOF itself, and wrapped it is none
		err = errPacked(err)
	}
	return n, err
}

func errPacked(err error) error {
	return &Error{What: "the compressed file is cut or damaged: " + err.Error(), Help: "copy it again"}
}
