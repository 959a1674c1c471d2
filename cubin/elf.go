package cubin

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"strings"
)

// Sizes of the fixed parts of ELF64 (System V ABI, chapter 4).
const (
	headerSize     = 64
	sectionSize    = 64
	symbolSize     = 24
	relSize        = 16
	relaSize       = 24
	machineCUDA    = 190
	typeRelocation = 1
)

// Section types. Those from 0x70000000 on are NVIDIA's.
const (
	SectionSymbols    = 2          // SHT_SYMTAB
	SectionStrings    = 3          // SHT_STRTAB
	SectionRela       = 4          // SHT_RELA
	SectionNote       = 7          // SHT_NOTE
	SectionNoBits     = 8          // SHT_NOBITS: a size without bytes
	SectionRel        = 9          // SHT_REL
	SectionIndices    = 18         // SHT_SYMTAB_SHNDX
	SectionInfo       = 0x70000000 // attribute records
	SectionGlobal     = 0x70000007 // .nv.global of a relocatable image: no bytes
	SectionGlobalInit = 0x70000008
	SectionShared     = 0x7000000a // .nv.shared.F of a relocatable image: no bytes
)

// Section is one section header with its bytes.
type Section struct {
	Name   string
	Type   uint32
	Flags  uint64
	Link   uint32
	Info   uint32
	Offset uint64 // from the start of the image
	Size   uint64 // bytes in memory; for sections without bytes nothing in the file
	Data   []byte // part of the slice given to Parse; nil where the file has no bytes
}

// SymbolType is the low half of st_info.
type SymbolType uint8

// The symbol types that matter here.
const (
	SymbolObject  SymbolType = 1
	SymbolFunc    SymbolType = 2
	SymbolSection SymbolType = 3
)

// Symbol is one entry of the symbol table.
type Symbol struct {
	Name    string
	Value   uint64
	Size    uint64
	Section int // index into File.Sections; 0 undefined, above the sections for absolute and common
	Type    SymbolType
	Binding uint8 // 0 local, 1 global, 2 weak
	Other   uint8 // 0x10 marks an entry
}

// Relocation says what a tool fills in at an offset of a section.
type Relocation struct {
	Offset uint64
	Symbol int // index into File.Symbols, not checked
	Type   uint32
	Addend int64 // 0 for REL
}

// FormatError is one thing that is wrong with an image.
type FormatError struct {
	Offset int64  // from the start of the image
	Text   string // what was found there
}

// Error says what is wrong and where.
func (e *FormatError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Text) }

func formatError(offset uint64, format string, args ...any) *FormatError {
	return &FormatError{int64(min(offset, 1<<63-1)), fmt.Sprintf(format, args...)}
}

// header is the part of the ELF header that is used.
type header struct {
	abi, flags, version uint32
	relocatable         bool
	sectionsAt          uint64
	sections, names     uint64
}

func readHeader(data []byte) (h header, err *FormatError) {
	switch {
	case len(data) < headerSize:
		return h, formatError(uint64(len(data)), "the file ends inside the ELF header of %d bytes", headerSize)
	case string(data[:4]) != "\x7fELF" || data[4] != 2 || data[5] != 1:
		return h, formatError(0, "not a little-endian ELF64 file")
	case binary.LittleEndian.Uint16(data[18:]) != machineCUDA:
		return h, formatError(18, "ELF machine %d, not %d (CUDA)", binary.LittleEndian.Uint16(data[18:]), machineCUDA)
	}
	h.abi = uint32(data[8])
	h.relocatable = binary.LittleEndian.Uint16(data[16:]) == typeRelocation
	h.version = binary.LittleEndian.Uint32(data[20:])
	h.flags = binary.LittleEndian.Uint32(data[48:])
	h.sectionsAt = binary.LittleEndian.Uint64(data[40:])
	h.sections = uint64(binary.LittleEndian.Uint16(data[60:]))
	h.names = uint64(binary.LittleEndian.Uint16(data[62:]))
	if h.abi != 7 && h.abi != 8 {
		return h, formatError(8, "ABI version %d; 7 (through CUDA 12) and 8 (CUDA 13) are known", h.abi)
	}
	if size := binary.LittleEndian.Uint16(data[58:]); size != sectionSize {
		return h, formatError(58, "section headers of %d bytes, not %d", size, sectionSize)
	}
	if h.sectionsAt > uint64(len(data)) || uint64(len(data))-h.sectionsAt < sectionSize {
		return h, formatError(h.sectionsAt, "the section headers lie behind the end of the file (%d bytes)", len(data))
	}
	// Counts that do not fit in 16 bits stand in the first section header.
	first := data[h.sectionsAt:]
	if h.sections == 0 {
		h.sections = binary.LittleEndian.Uint64(first[32:])
	}
	if h.names == 0xffff {
		h.names = uint64(binary.LittleEndian.Uint32(first[40:]))
	}
	if room := (uint64(len(data)) - h.sectionsAt) / sectionSize; h.sections > room {
		return h, formatError(h.sectionsAt, "%d section headers where the file has room for %d", h.sections, room)
	}
	return h, nil
}

// readSections fills f.Sections. A section that reaches behind the end of the
// file is kept without its bytes and reported.
func (f *File) readSections(data []byte, h header) {
	f.Sections = make([]Section, h.sections)
	nameAt := make([]uint32, h.sections)
	for i := range f.Sections {
		b := data[h.sectionsAt+uint64(i)*sectionSize:]
		nameAt[i] = binary.LittleEndian.Uint32(b)
		s := Section{
			Type:   binary.LittleEndian.Uint32(b[4:]),
			Flags:  binary.LittleEndian.Uint64(b[8:]),
			Offset: binary.LittleEndian.Uint64(b[24:]),
			Size:   binary.LittleEndian.Uint64(b[32:]),
			Link:   binary.LittleEndian.Uint32(b[40:]),
			Info:   binary.LittleEndian.Uint32(b[44:]),
		}
		if i > 0 && s.Type != 0 && !s.empty() {
			if s.Offset <= uint64(len(data)) && s.Size <= uint64(len(data))-s.Offset {
				s.Data = data[s.Offset : s.Offset+s.Size : s.Offset+s.Size]
			} else {
				f.fault(s.Offset, "section %d of %d bytes reaches behind the end of the file (%d bytes)", i, s.Size, len(data))
			}
		}
		f.Sections[i] = s
	}
	if h.names >= h.sections || f.Sections[h.names].Data == nil {
		f.fault(62, "section %d should hold the section names and does not", h.names)
		return
	}
	names := newNames(f.Sections[h.names].Data)
	for i := range f.Sections {
		name, ok := names.at(nameAt[i])
		if !ok {
			f.fault(h.sectionsAt+uint64(i)*sectionSize, "the name of section %d cannot be read", i)
		}
		f.Sections[i].Name = name
	}
}

// empty reports that a section has a size and no bytes in the file, whatever
// its offset says.
func (s *Section) empty() bool {
	return s.Type == SectionNoBits || s.Type == SectionGlobal || s.Type == SectionShared
}

// readSymbols fills f.Symbols from the first symbol table.
func (f *File) readSymbols() {
	var table, indices *Section
	for i := range f.Sections {
		switch s := &f.Sections[i]; {
		case s.Type == SectionSymbols && table == nil:
			table = s
		case s.Type == SectionIndices && indices == nil:
			indices = s
		}
	}
	if table == nil || table.Data == nil {
		f.fault(0, "no symbol table")
		return
	}
	if table.Link == 0 || uint64(table.Link) >= uint64(len(f.Sections)) || f.Sections[table.Link].Data == nil {
		f.fault(table.Offset, "section %d should hold the symbol names and does not", table.Link)
		return
	}
	names := newNames(f.Sections[table.Link].Data)
	f.Symbols = make([]Symbol, len(table.Data)/symbolSize)
	for i := range f.Symbols {
		b := table.Data[i*symbolSize:]
		s := Symbol{
			Value:   binary.LittleEndian.Uint64(b[8:]),
			Size:    binary.LittleEndian.Uint64(b[16:]),
			Section: int(binary.LittleEndian.Uint16(b[6:])),
			Type:    SymbolType(b[4] & 0xf),
			Binding: b[4] >> 4,
			Other:   b[5],
		}
		if s.Section == 0xffff && indices != nil && len(indices.Data) >= 4*i+4 { // SHN_XINDEX
			s.Section = int(binary.LittleEndian.Uint32(indices.Data[4*i:]))
		}
		var ok bool
		if s.Name, ok = names.at(binary.LittleEndian.Uint32(b)); !ok {
			f.fault(table.Offset+uint64(i)*symbolSize, "the name of symbol %d cannot be read", i)
		}
		f.Symbols[i] = s
	}
}

// names is a string table. One copy serves all names.
type names struct {
	text string
	left int // bytes of names that may still be read
}

// nameShare bounds how often the names of a table may share its bytes: a
// linker merges tails (".rela.text.F" holds ".text.F"), and a made-up table
// in which every name is the whole table would cost the square of its size.
const nameShare = 16

func newNames(table []byte) *names {
	return &names{string(table), nameShare*len(table) + 1<<10}
}

func (n *names) at(offset uint32) (string, bool) {
	if uint64(offset) >= uint64(len(n.text)) {
		return "", false
	}
	end := strings.IndexByte(n.text[offset:], 0)
	if end < 0 || end > n.left {
		return "", false
	}
	n.left -= end
	return n.text[offset : int(offset)+end], true
}

// Relocations iterates over what a section is to be filled in with: the records
// of all REL and RELA sections that name it, in file order.
func (f *File) Relocations(section int) iter.Seq[Relocation] {
	return func(yield func(Relocation) bool) {
		for i := range f.Sections {
			s := &f.Sections[i]
			if int(s.Info) != section || s.Type != SectionRel && s.Type != SectionRela {
				continue
			}
			size := relSize
			if s.Type == SectionRela {
				size = relaSize
			}
			for b := s.Data; len(b) >= size; b = b[size:] {
				info := binary.LittleEndian.Uint64(b[8:])
				r := Relocation{Offset: binary.LittleEndian.Uint64(b), Symbol: int(info >> 32), Type: uint32(info)}
				if size == relaSize {
					r.Addend = int64(binary.LittleEndian.Uint64(b[16:]))
				}
				if !yield(r) {
					return
				}
			}
		}
	}
}

// SectionNamed returns the first section of a name, or nil.
func (f *File) SectionNamed(name string) *Section {
	for i := range f.Sections {
		if f.Sections[i].Name == name {
			return &f.Sections[i]
		}
	}
	return nil
}

// cString returns the text up to the first NUL.
func cString(b []byte) string {
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b = b[:end]
	}
	return string(b)
}
