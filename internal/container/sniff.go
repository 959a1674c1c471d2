package container

import (
	"compress/gzip"
	"errors"
	"io"
)

// IsBinary reports whether a file is of a format that can hold device code:
// what is packed with gzip is looked at inside.
func IsBinary(r io.ReaderAt) bool {
	head := make([]byte, SniffLength)
	n, err := r.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	switch Sniff(head[:n]) {
	case Unknown:
		return false
	case Gzip:
		z, err := gzip.NewReader(io.NewSectionReader(r, 0, 1<<62))
		if err != nil {
			return false
		}
		n, _ := io.ReadFull(z, head)
		inner := Sniff(head[:n])
		return inner != Unknown && inner != Gzip
	default:
	}
	return true
}

// MayBeBinary reports whether a file that begins with a byte can be of such a
// format. It spares a pipe the wait for more bytes.
func MayBeBinary(first byte) bool {
	switch first {
	case '\x7f', '\x50', '!', 'M', '\x64', '\x1f':
		return true
	}
	return false
}
