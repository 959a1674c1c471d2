package container

import (
	"bytes"
	"encoding/binary"
)

// The sections with device code, by their name in ELF files.
const (
	linkedSection   = ".nv_fatbin"
	unlinkedSection = "__nv_relfatbin"
)

const (
	elfHeader    = 64
	elfSection   = 64
	maxNameTable = 64 << 20
	headersBlock = 1024 // section headers that are read at once
)

// section is where device code stands in a host file.
type section struct{ at, size int64 }

// elf reads an ELF64 file of a host.
func (w *walker) elf(f file) {
	head, ok := f.bytes(0, elfHeader)
	switch {
	case !ok:
		w.fault(f.member, f.Size(), "the file ends inside the ELF header")
		return
	case head[4] != 2 || head[5] != 1:
		return // 32 bits or big-endian: no CUDA toolkit since 11 makes device code for these
	}
	linked, unlinked := w.elfSections(f, head)
	isObject := binary.LittleEndian.Uint16(head[16:]) == 1
	w.deviceCode(f, linked, unlinked, isObject)
}

// deviceCode reads the sections that count: in a file that was linked the
// unlinked code only where there is no other.
func (w *walker) deviceCode(f file, linked, unlinked []section, isObject bool) {
	if !isObject && len(linked) > 0 {
		unlinked = nil
	}
	for _, s := range append(linked, unlinked...) {
		size := s.size
		if s.at < 0 || size < 0 || s.at > f.Size() {
			w.fault(f.member, s.at, "device code of %d bytes behind the end of the file (%d bytes)", size, f.Size())
			continue
		}
		if size > f.Size()-s.at {
			w.fault(f.member, s.at, "device code of %d bytes where the file has %d left", size, f.Size()-s.at)
			size = f.Size() - s.at
		}
		w.containers(f, s.at, size)
	}
}

// elfSections finds the sections with device code.
func (w *walker) elfSections(f file, head []byte) (linked, unlinked []section) {
	at := int64(binary.LittleEndian.Uint64(head[40:]))
	count := int64(binary.LittleEndian.Uint16(head[60:]))
	names := int64(binary.LittleEndian.Uint16(head[62:]))
	if at == 0 {
		return nil, nil // no sections: a stripped or core file
	}
	first, ok := f.bytes(at, elfSection)
	if !ok || binary.LittleEndian.Uint16(head[58:]) != elfSection {
		w.fault(f.member, at, "the section headers lie behind the end of the file (%d bytes): the file is cut, or damaged", f.Size())
		return nil, nil
	}
	if count == 0 {
		count = int64(binary.LittleEndian.Uint64(first[32:]))
	}
	if names == 0xffff {
		names = int64(binary.LittleEndian.Uint32(first[40:]))
	}
	if room := (f.Size() - at) / elfSection; count < 0 || count > room {
		w.fault(f.member, at, "%d section headers where the file has room for %d", count, room)
		count = room
	}
	table := w.elfNames(f, at, names, count)
	for from := int64(0); from < count; from += headersBlock {
		n := min(headersBlock, count-from)
		block, ok := f.bytes(at+from*elfSection, n*elfSection)
		if !ok {
			return linked, unlinked
		}
		for i := range n {
			b := block[i*elfSection:]
			s := section{int64(binary.LittleEndian.Uint64(b[24:])), int64(binary.LittleEndian.Uint64(b[32:]))}
			if binary.LittleEndian.Uint32(b[4:]) == 8 { // SHT_NOBITS: stripped into another file
				continue
			}
			switch name := binary.LittleEndian.Uint32(b); {
			case named(table, name, linkedSection):
				linked = append(linked, s)
			case named(table, name, unlinkedSection):
				unlinked = append(unlinked, s)
			}
		}
	}
	return linked, unlinked
}

// elfNames reads the table of section names.
func (w *walker) elfNames(f file, at, names, count int64) []byte {
	if names >= count {
		w.fault(f.member, 62, "section %d should hold the section names and there are %d", names, count)
		return nil
	}
	b, ok := f.bytes(at+names*elfSection, elfSection)
	if !ok {
		return nil
	}
	offset, size := int64(binary.LittleEndian.Uint64(b[24:])), int64(binary.LittleEndian.Uint64(b[32:]))
	if size > maxNameTable {
		w.fault(f.member, at+names*elfSection, "%d bytes of section names", size)
		return nil
	}
	table, ok := f.bytes(offset, size)
	if !ok {
		w.fault(f.member, offset, "the section names lie behind the end of the file")
	}
	return table
}

// named reports whether a name stands at an offset of a table.
func named(table []byte, at uint32, name string) bool {
	return uint64(at) < uint64(len(table)) && bytes.HasPrefix(table[at:], append([]byte(name), 0))
}
