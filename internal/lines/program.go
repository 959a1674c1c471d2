package lines

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Address is what a relocation puts at a place of .debug_line.
type Address struct {
	Section string
	Offset  uint64 // in the section: the symbol's value, with any addend
}

// Input is the sections that a table is read from.
type Input struct {
	Line    []byte             // .debug_line
	Strings []byte             // .debug_str
	Relocs  map[uint64]Address // by offset in Line
}

// Read runs the line programs. What it read before an error is kept in the
// table that it returns with it.
func Read(in Input) (*Table, error) {
	t := &Table{sequences: map[string][]*Sequence{}, strings: in.Strings}
	err := t.units(in)
	for _, all := range t.sequences {
		slices.SortStableFunc(all, func(a, b *Sequence) int { return cmp.Compare(a.Start, b.Start) })
		var reach uint64
		for _, s := range all {
			s.arrange()
			reach = max(reach, s.End)
			s.reach = reach
		}
	}
	return t, err
}

func (t *Table) units(in Input) error {
	for at := 0; at < len(in.Line); {
		rest := in.Line[at:]
		if len(rest) < 4 {
			return fmt.Errorf(".debug_line ends within a length at offset %d", at)
		}
		size := uint64(binary.LittleEndian.Uint32(rest))
		if size == 0xffffffff {
			return errors.New(".debug_line is in the 64-bit form, which occlint does not read")
		}
		if size > uint64(len(rest)-4) {
			return fmt.Errorf(".debug_line: the unit at offset %d says %d bytes, %d are there", at, size, len(rest)-4)
		}
		u := unit{table: t, relocs: in.Relocs, buf: buf{data: rest[4 : 4+size], base: uint64(at) + 4}}
		if err := u.read(); err != nil {
			return fmt.Errorf(".debug_line: the unit at offset %d: %w", at, err)
		}
		at += 4 + int(size)
	}
	return nil
}

// unit is one line program with the state of the machine that runs it.
type unit struct {
	buf
	table  *Table
	relocs map[uint64]Address

	minInst, base, span, firstSpecial int
	lengths                           []byte
	dirs                              []string
	files                             []string

	address  uint64
	file     uint64
	line     int64
	call     uint64
	function uint64
	seq      *Sequence
}

// The opcodes of version 2, and NVIDIA's one.
const (
	opCopy         = 1
	opAdvancePC    = 2
	opAdvanceLine  = 3
	opSetFile      = 4
	opConstAddPC   = 8
	opFixedAdvance = 9

	extEnd     = 1
	extAddress = 2
	extFile    = 3
	extInlined = 0x90 // row that was called from, name of what was
)

func (u *unit) read() error {
	version := u.u16()
	if version < 2 || version > 4 {
		return fmt.Errorf("version %d of the line table is not known to occlint: it reads 2 to 4", version)
	}
	headerEnd := uint64(u.u32())
	headerEnd += uint64(u.at)
	u.minInst = int(u.u8())
	if version >= 4 {
		u.u8()
	}
	u.u8() // whether rows start statements
	u.base = int(int8(u.u8()))
	u.span = int(u.u8())
	u.firstSpecial = int(u.u8())
	if u.span == 0 || u.firstSpecial == 0 {
		return errors.New("the header is damaged")
	}
	u.lengths = u.bytes(u.firstSpecial - 1)
	for s := u.str(); s != ""; s = u.str() {
		u.dirs = append(u.dirs, s)
	}
	for s := u.str(); s != ""; s = u.str() {
		u.addFile(s)
	}
	if u.cut || headerEnd > uint64(len(u.data)) {
		return errors.New("the header is cut off")
	}
	u.at = int(headerEnd)
	u.reset()
	for u.at < len(u.data) && !u.cut {
		u.step()
	}
	if u.cut {
		return errors.New("the program is cut off")
	}
	return nil
}

func (u *unit) addFile(name string) {
	dir := ""
	if d := u.uleb(); d > 0 && d <= uint64(len(u.dirs)) {
		dir = u.dirs[d-1]
	}
	u.uleb() // time
	u.uleb() // size
	u.files = append(u.files, join(dir, name))
}

func (u *unit) reset() {
	u.address, u.file, u.line, u.call, u.function, u.seq = 0, 1, 1, 0, 0, nil
}

// step runs one instruction of the program.
func (u *unit) step() {
	op := int(u.u8())
	switch {
	case op >= u.firstSpecial:
		op -= u.firstSpecial
		u.address += uint64(op/u.span) * uint64(u.minInst)
		u.line += int64(u.base + op%u.span)
		u.row()
	case op == 0:
		u.extended()
	case op == opCopy:
		u.row()
	case op == opAdvancePC:
		u.address += u.uleb() * uint64(u.minInst)
	case op == opAdvanceLine:
		u.line += u.sleb()
	case op == opSetFile:
		u.file = u.uleb()
	case op == opConstAddPC:
		u.address += uint64((255-u.firstSpecial)/u.span) * uint64(u.minInst)
	case op == opFixedAdvance:
		u.address += uint64(u.u16())
	default: // takes operands that do not matter here
		for range u.lengths[op-1] {
			u.uleb()
		}
	}
}

func (u *unit) extended() {
	size := u.uleb()
	if size == 0 || size > uint64(len(u.data)-u.at) {
		u.cut = true
		return
	}
	end := u.at + int(size)
	switch u.u8() {
	case extEnd:
		if u.seq != nil {
			u.seq.End = max(u.address, u.seq.Start)
		}
		u.reset()
	case extAddress:
		u.setAddress(end)
	case extFile:
		u.addFile(u.str())
	case extInlined:
		u.call = u.uleb()
		u.function = u.uleb()
	}
	u.at = end
}

// setAddress starts a sequence: in a cubin the operand is 0, and a relocation
// says which section is meant.
func (u *unit) setAddress(end int) {
	at := u.buf.base + uint64(u.at)
	for u.at < end {
		u.address = u.address>>8 | uint64(u.u8())<<56
	}
	r, ok := u.relocs[at]
	if !ok {
		return
	}
	u.address = r.Offset
	if u.seq != nil && u.seq.Section == r.Section {
		return
	}
	u.seq = &Sequence{Section: r.Section, Start: r.Offset, End: r.Offset}
	u.table.sequences[r.Section] = append(u.table.sequences[r.Section], u.seq)
}

// row notes the state of the machine.
func (u *unit) row() {
	if u.seq == nil { // no section is named: nothing can be looked up
		u.seq = &Sequence{}
		u.table.sequences[""] = append(u.table.sequences[""], u.seq)
	}
	r := Row{Offset: u.address, Place: Place{Line: int(max(0, min(u.line, 1<<30)))}}
	if u.file > 0 && u.file <= uint64(len(u.files)) {
		r.File = u.files[u.file-1]
	}
	// A call site stands before what was inlined there, so chains end.
	if u.call > 0 && u.call <= uint64(len(u.seq.rows)) {
		r.call = int32(u.call)
		r.function = uint32(min(u.function, 0xffffffff))
	}
	u.seq.rows = append(u.seq.rows, r)
	u.seq.End = max(u.seq.End, u.address+1)
}

// buf reads fields from the front of a slice. Reading past its end gives zeros
// and sets cut.
type buf struct {
	data []byte
	at   int
	base uint64 // of data in the section
	cut  bool
}

func (b *buf) bytes(n int) []byte {
	if n < 0 || n > len(b.data)-b.at {
		b.cut, b.at = true, len(b.data)
		return make([]byte, max(0, min(n, 255)))
	}
	b.at += n
	return b.data[b.at-n : b.at]
}

func (b *buf) u8() byte    { return b.bytes(1)[0] }
func (b *buf) u16() uint16 { return binary.LittleEndian.Uint16(b.bytes(2)) }
func (b *buf) u32() uint32 { return binary.LittleEndian.Uint32(b.bytes(4)) }

func (b *buf) uleb() uint64 {
	var v uint64
	for shift := uint(0); ; shift += 7 {
		c := b.u8()
		if shift < 64 {
			v |= uint64(c&0x7f) << shift
		}
		if c < 0x80 {
			return v
		}
	}
}

func (b *buf) sleb() int64 {
	var v int64
	for shift := uint(0); ; shift += 7 {
		c := b.u8()
		if shift < 64 {
			v |= int64(c&0x7f) << shift
		}
		if c < 0x80 {
			if c&0x40 != 0 && shift+7 < 64 {
				v |= -1 << (shift + 7)
			}
			return v
		}
	}
}

// str reads a string that ends with a zero byte.
func (b *buf) str() string {
	n := slices.Index(b.data[b.at:], 0)
	if n < 0 {
		b.cut, b.at = true, len(b.data)
		return ""
	}
	s := string(b.data[b.at : b.at+n])
	b.at += n + 1
	return s
}
