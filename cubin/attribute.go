package cubin

import (
	"encoding/binary"
	"iter"
)

// Attribute is one record of .nv.info or .nv.info.F. In the file it is
// u8 format, u8 code, u16 value; format 4 has as many bytes of payload as the
// value says, the others (1 none, 2 byte, 3 u16) have the value in its place.
type Attribute struct {
	Format  uint8
	Code    Code
	Value   uint16 // formats 1 to 3
	Payload []byte // format 4; part of the image
}

// Code says what an attribute states. The meanings were found by comparison
// with ptxas and cuobjdump; names are ours.
type Code uint8

// The attributes that are read. A "symbol" is a u32 index into File.Symbols.
const (
	CodeMaxThreads      Code = 0x05 // three u32: __launch_bounds__, .maxntid
	CodeParameters      Code = 0x0a // symbol, u16 offset, u16 size: bank 0's parameters
	CodeExternals       Code = 0x0f // u32 symbols of external functions that are used
	CodeRequiredThreads Code = 0x10 // three u32: .reqntid, __block_size__
	CodeFrame           Code = 0x11 // file: symbol, u32 bytes of stack frame
	CodeCumulative      Code = 0x12 // file: symbol, u32 bytes with all callees; 0xffffffff unknown
	CodeParameter       Code = 0x17 // one parameter
	CodeParameterBytes  Code = 0x19 // value: bytes of all parameters
	CodeRegisterCap     Code = 0x1b // value: the cap in force, 255 for none
	CodeExits           Code = 0x1c // u32 offsets of EXIT instructions
	CodeMaxStack        Code = 0x23 // file: symbol, u32 bytes; CUDA 11
	CodeRegisters       Code = 0x2f // file: symbol, u32 registers, as in "Used N registers"
	CodeBranchTables    Code = 0x34 // {u32 offset, u16, u16, u32 n, n u32 targets} of indirect branches
	CodeToolkit         Code = 0x37 // u32: 124 is CUDA 12.4
	CodeSystemCalls     Code = 0x46 // u32 offsets
	CodeBarriers        Code = 0x4c // value, ABI 8: named barriers; absent for none
	CodeSpills          Code = 0x55 // {u32 kind, u32 offset}: spill instructions, from CUDA 12.8 on
)

// Attributes iterates over the records of a section of attributes. It ends
// early at a record that reaches behind the section; [Parse] has reported it.
func (s *Section) Attributes() iter.Seq[Attribute] {
	return func(yield func(Attribute) bool) {
		for at := 0; at < len(s.Data); {
			a, next, ok := readAttribute(s.Data, at)
			if !ok || !yield(a) {
				return
			}
			at = next
		}
	}
}

// readAttribute reads the record at an offset and says where the next begins.
func readAttribute(data []byte, at int) (a Attribute, next int, ok bool) {
	if len(data)-at < 4 {
		return a, at, false
	}
	a.Format, a.Code = data[at], Code(data[at+1])
	value := binary.LittleEndian.Uint16(data[at+2:])
	at += 4
	switch a.Format {
	case 1, 2, 3:
		a.Value = value
		return a, at, true
	case 4:
		if int(value) > len(data)-at {
			return a, at, false
		}
		a.Payload = data[at : at+int(value) : at+int(value)]
		return a, at + int(value), true
	}
	return a, at, false
}

// attributes visits the records of one section and reports where they break.
func (f *File) attributes(index int, visit func(Attribute)) {
	s := &f.Sections[index]
	// Sections do not overlap; a made-up file whose thousand sections are
	// one and the same would cost a thousand times its size.
	if f.budget -= len(s.Data); f.budget < 0 {
		f.fault(s.Offset, "attribute sections overlap")
		return
	}
	for at := 0; at < len(s.Data); {
		a, next, ok := readAttribute(s.Data, at)
		if !ok {
			f.fault(s.Offset+uint64(at), "no attribute record can be read here (section %d)", index)
			return
		}
		visit(a)
		at = next
	}
}

// pair returns the two words of a payload of {symbol, number}.
func (a Attribute) pair() (symbol int, n uint32, ok bool) {
	if len(a.Payload) < 8 {
		return 0, 0, false
	}
	return int(binary.LittleEndian.Uint32(a.Payload)), binary.LittleEndian.Uint32(a.Payload[4:]), true
}

// dim returns the three words of a payload.
func (a Attribute) dim() (d Dim) {
	if len(a.Payload) < 12 {
		return Dim{}
	}
	for i := range d {
		d[i] = binary.LittleEndian.Uint32(a.Payload[4*i:])
	}
	return d
}
