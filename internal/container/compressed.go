package container

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
)

// spoolInMemory is the most that is unpacked into memory; above it a temporary
// file takes the bytes.
const spoolInMemory = 8 << 20

// zip reads the members of a wheel or another zip that hold device code.
func (w *walker) zip(f file) {
	z, err := zip.NewReader(f, f.Size())
	if err != nil {
		w.fault(f.member, f.Size(), "the zip's list of members cannot be read: %v", err)
		return
	}
	for _, m := range z.File {
		if m.FileInfo().IsDir() {
			continue
		}
		inner := f.inner(m.Name)
		if m.Method == zip.Store {
			at, err := m.DataOffset()
			if err != nil || m.CompressedSize64 > uint64(f.Size()) || at > f.Size()-int64(m.CompressedSize64) {
				w.fault(f.member, at, "a member of %d bytes behind the end of the file", m.CompressedSize64)
				continue
			}
			w.walk(file{f.at(at, int64(m.CompressedSize64)), inner, f.depth + 1})
			continue
		}
		r, err := m.Open()
		if err != nil {
			w.fault(inner, 0, "cannot be unpacked: %v", err)
			continue
		}
		w.spool(r, inner, f.depth+1)
		_ = r.Close()
	}
}

// gzip reads a file that is packed as a whole.
func (w *walker) gzip(f file) {
	r, err := gzip.NewReader(io.NewSectionReader(f, 0, f.Size()))
	if err != nil {
		w.fault(f.member, 0, "cannot be unpacked: %v", err)
		return
	}
	w.spool(r, f.member, f.depth+1)
}

// spool unpacks a member that has to be at hand as a whole, if its first
// bytes say that it holds device code.
func (w *walker) spool(r io.Reader, member string, depth int) {
	head := make([]byte, SniffLength)
	n, err := io.ReadFull(r, head)
	if Sniff(head[:n]) == Unknown {
		return
	}
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		w.fault(member, 0, "cannot be unpacked: %v", err)
		return
	}
	var memory bytes.Buffer
	memory.Write(head[:n])
	_, err = io.CopyN(&memory, r, spoolInMemory)
	if errors.Is(err, io.EOF) || err != nil {
		if !errors.Is(err, io.EOF) {
			w.fault(member, int64(memory.Len()), "cannot be unpacked further: %v", err)
		}
		w.walk(file{io.NewSectionReader(bytes.NewReader(memory.Bytes()), 0, int64(memory.Len())), member, depth})
		w.wait()
		return
	}
	w.spoolFile(&memory, r, member, depth)
}

// spoolFile goes on in a temporary file.
func (w *walker) spoolFile(memory *bytes.Buffer, r io.Reader, member string, depth int) {
	temp, err := os.CreateTemp("", "occlint-*")
	if err != nil {
		w.fault(member, 0, "no temporary file to unpack it into: %v", err)
		return
	}
	defer os.Remove(temp.Name()) //nolint:errcheck // it is a temporary file
	defer temp.Close()           //nolint:errcheck // and was only read after the last write
	size, err := io.Copy(temp, io.LimitReader(io.MultiReader(memory, r), MaxMember+1))
	switch {
	case err != nil:
		w.fault(member, size, "cannot be unpacked further: %v", err)
	case size > MaxMember:
		w.fault(member, MaxMember, "it unpacks to more than %d bytes, and no more are read", int64(MaxMember))
	}
	w.walk(file{io.NewSectionReader(temp, 0, size), member, depth})
	w.wait()
}
