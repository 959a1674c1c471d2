package container

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// Kind is what an entry holds.
type Kind uint8

// The kinds.
const (
	Cubin Kind = iota + 1
	PTX
	LTO   // intermediate code that a linker will compile
	Other // a kind that is not known
)

// Entry is one piece of device code.
type Entry struct {
	Kind   Kind
	Member string // where in the file: "mm.o" of an archive, "pkg/lib.so" of a wheel, "lib.a(mm.o)" of both; empty for the file itself
	Arch   string // what the entry's header says, without a suffix; empty for a bare cubin
	Offset int64  // of the payload in its member
	Size   int64  // of the payload as it is stored
}

// Fault is something that could not be read.
type Fault struct {
	Member string
	Offset int64 // in the member
	Text   string
}

// Bounds on what a hostile file can cost.
const (
	MaxEntry  = 512 << 20 // bytes of one entry, unpacked
	MaxMember = 8 << 30   // bytes of one member of a compressed file
	maxDepth  = 4         // containers in containers
	maxFaults = 64        // of one file that are told
)

// Format is a kind of file.
type Format uint8

// The formats that hold device code. Unknown is none of them.
const (
	Unknown Format = iota
	ELF
	Fatbin
	Archive
	ThinArchive
	PE
	Zip
	Gzip
	Compiled // a bare cubin
	Hashed   // a cubin behind 40 hexadecimal digits: an entry of CuPy's cache
)

// SniffLength is how many bytes Sniff looks at.
const SniffLength = hashLength + 20

// hashLength is how many digits of a hash CuPy writes in front of an image.
const hashLength = 40

// Sniff tells a file's format by its first bytes. Gzip says nothing of what is
// packed in it.
func Sniff(head []byte) Format {
	starts := func(s string) bool { return len(head) >= len(s) && string(head[:len(s)]) == s }
	switch {
	case starts("\x7fELF"):
		if len(head) >= 20 && binary.LittleEndian.Uint16(head[18:]) == 190 {
			return Compiled
		}
		return ELF
	case starts("\x50\xed\x55\xba"):
		return Fatbin
	case starts("!<arch>\n"):
		return Archive
	case starts("!<thin>\n"):
		return ThinArchive
	case starts("MZ") && bytes.IndexByte(head, 0) > 0, starts("\x64\x86") && len(head) >= 4 && head[2] > 0 && head[3] < 4: // an AMD64 object and its number of sections
		return PE
	case starts("PK\x03\x04"):
		return Zip
	case starts("\x1f\x8b\x08"):
		return Gzip
	case len(head) >= SniffLength && isHex(head[:hashLength]) && Sniff(head[hashLength:]) == Compiled:
		return Hashed
	}
	return Unknown
}

func isHex(b []byte) bool {
	for _, c := range b {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// walker finds the entries of one file and hands them to a pool.
type walker struct {
	visit  func(item)
	wait   func() // until all items that were handed over are done
	faults []Fault
	told   int // faults, with those that were not kept
}

// item is an entry that was found and not unpacked yet.
type item struct {
	Entry
	src      io.ReaderAt
	method   method
	unpacked int64
}

func (w *walker) fault(member string, offset int64, format string, args ...any) {
	w.told++
	if len(w.faults) < maxFaults {
		w.faults = append(w.faults, Fault{member, offset, fmt.Sprintf(format, args...)})
	}
}

// file is a file or a member of one, of known size.
type file struct {
	*io.SectionReader
	member string
	depth  int
}

func (f file) at(offset, size int64) *io.SectionReader {
	return io.NewSectionReader(f.SectionReader, offset, size)
}

// bytes reads size bytes at an offset; false when they are not all there.
func (f file) bytes(offset, size int64) ([]byte, bool) {
	if offset < 0 || size < 0 || offset > f.Size() || size > f.Size()-offset {
		return nil, false
	}
	b := make([]byte, size)
	if n, err := f.ReadAt(b, offset); int64(n) < size && err != nil {
		return nil, false
	}
	return b, true
}

// walk reads one file of any format. It reports whether the format is known.
func (w *walker) walk(f file) bool {
	head, _ := f.bytes(0, min(f.Size(), SniffLength))
	format := Sniff(head)
	if f.depth > maxDepth {
		w.fault(f.member, 0, "files in files, more than %d deep: not read", maxDepth)
		return true
	}
	switch format {
	case Compiled:
		w.visit(item{Entry: Entry{Kind: Cubin, Member: f.member, Size: f.Size()}, src: f, method: stored, unpacked: f.Size()})
	case Hashed:
		w.visit(item{Entry: Entry{Kind: Cubin, Member: f.member, Offset: hashLength, Size: f.Size() - hashLength}, src: f, method: stored})
	case Fatbin:
		w.containers(f, 0, f.Size())
	case ELF:
		w.elf(f)
	case PE:
		w.pe(f)
	case Archive:
		w.archive(f)
	case ThinArchive:
		w.fault(f.member, 0, "a thin archive, which only names its members: give the objects themselves")
	case Zip:
		w.zip(f)
	case Gzip:
		w.gzip(f)
	default:
		return false
	}
	return true
}

// inner names a member of a file.
func (f file) inner(name string) string {
	if f.member == "" {
		return name
	}
	return f.member + "(" + name + ")"
}
