package container

import (
	"io"
	"os"
)

// File is an open file. Packed entries are read, one at a time; what is stored
// plain is looked at where it lies, so that of a large library only those
// pages are read that are of use.
type File struct {
	*os.File
	size   int64
	mapped []byte // nil where files can't be mapped
}

// Open opens a file that is none of a terminal or a device.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	file := &File{File: f, size: info.Size()}
	if info.Mode().IsRegular() {
		file.mapped = mapFile(f, info.Size())
	}
	return file, nil
}

// Size is the length of the file in bytes.
func (f *File) Size() int64 { return f.size }

// Close gives up the file; nothing that was read of it may be used after that.
func (f *File) Close() error {
	unmap(f.mapped)
	f.mapped = nil
	return f.File.Close()
}

// slicer can lend its bytes instead of copying them.
type slicer interface {
	slice(offset, size int64) ([]byte, bool)
}

func (f *File) slice(offset, size int64) ([]byte, bool) {
	if offset < 0 || size < 0 || offset > int64(len(f.mapped)) || size > int64(len(f.mapped))-offset {
		return nil, false
	}
	return f.mapped[offset : offset+size : offset+size], true
}

// lent returns bytes of a reader without a copy, if what is below its sections
// can lend them.
func lent(r io.ReaderAt, offset, size int64) ([]byte, bool) {
	for {
		switch v := r.(type) {
		case file:
			r = v.SectionReader
		case *io.SectionReader:
			outer, base, n := v.Outer()
			if offset < 0 || size < 0 || offset > n || size > n-offset {
				return nil, false
			}
			r, offset = outer, offset+base
		case slicer:
			return v.slice(offset, size)
		default:
			return nil, false
		}
	}
}
