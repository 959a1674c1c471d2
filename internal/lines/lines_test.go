package lines

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program is a line table of one unit, as ptxas writes them: version 2, one
// byte an instruction, lines from -5 on in a range of 14, special opcodes from
// 10 on. The files are src/k.cu and /usr/h.cuh.
func program(code ...byte) []byte {
	header := []byte{1, 1, 0xfb, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1}
	header = append(header, "/home/b/../me/src\x00\x00"...)
	header = append(header, "k.cu\x00\x01\x00\x00/usr/h.cuh\x00\x01\x00\x00\x00"...)
	b := binary.LittleEndian.AppendUint16(nil, 2)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	b = append(append(b, header...), code...)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// address starts a sequence: its operand is 0 and relocated.
var address = []byte{0, 9, 2, 0, 0, 0, 0, 0, 0, 0, 0}

// at is where the operand stands in program(address...): behind the unit's
// length (4), version (2), header's length (4), the header, and 00 09 02.
const at = 4 + 2 + 4 + 14 + 19 + 23 + 3

func read(t *testing.T, code ...byte) *Table {
	t.Helper()
	table, err := Read(Input{
		Line: program(append(append([]byte{}, address...), code...)...), Strings: []byte("\x00helper\x00inner\x00"),
		Relocs: map[uint64]Address{at: {Section: ".text.k", Offset: 0x100}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestRows(t *testing.T) {
	table := read(t,
		3, 41, // line 1 + 41 = 42
		1,       // a row: 0x100, line 42
		2, 0x20, // 0x20 further
		10+14*0+5+2, // special: line + 2, no bytes further: 0x120, line 44
		4, 2,        // the second file
		10+14*16+5-3, // line - 3, 16 bytes: 0x130, line 41
		8,            // (255-10)/14 = 17 bytes further
		9, 0x0f, 0,   // 15 more: 0x150
		0, 1, 1, // the end
	)
	for _, test := range []struct {
		offset uint64
		want   Place
	}{
		{0x100, Place{"/home/me/src/k.cu", 42}},
		{0x11f, Place{"/home/me/src/k.cu", 42}},
		{0x120, Place{"/home/me/src/k.cu", 44}},
		{0x130, Place{"/usr/h.cuh", 41}},
		{0x14f, Place{"/usr/h.cuh", 41}},
	} {
		got, calls, ok := table.At(".text.k", test.offset)
		if !ok || got != test.want || len(calls) > 0 {
			t.Errorf("0x%x: %v %v %v, want %v", test.offset, got, calls, ok, test.want)
		}
	}
	for _, offset := range []uint64{0, 0xff, 0x150} {
		if got, _, ok := table.At(".text.k", offset); ok {
			t.Errorf("0x%x, which is outside: %v", offset, got)
		}
	}
	if _, _, ok := table.At(".text.other", 0x100); ok {
		t.Error("another section has lines")
	}
}

// Rows are numbered from 1 in their sequence; NVIDIA's opcode 0x90 says which
// of them the following rows were inlined at, and 0 ends that.
func TestInlined(t *testing.T) {
	table := read(t,
		3, 9, 1, // row 1: line 10, the call in the kernel
		0, 3, 0x90, 1, 1, // inlined at row 1: "helper"
		4, 2, 3, 10, 2, 0x10, 1, // row 2: h.cuh, line 20, at 0x110
		0, 3, 0x90, 2, 8, // inlined at row 2: "inner"
		3, 10, 2, 0x10, 1, // row 3: line 30, at 0x120
		0, 3, 0x90, 0, 0,
		4, 1, 2, 0x10, 1, // row 4: k.cu, line 30, at 0x130
		2, 0x10, 0, 1, 1,
	)
	got, calls, ok := table.At(".text.k", 0x120)
	want := []Call{{"inner", Place{"/usr/h.cuh", 20}}, {"helper", Place{"/home/me/src/k.cu", 10}}}
	if diff := cmp.Diff(want, calls); !ok || got != (Place{"/usr/h.cuh", 30}) || diff != "" {
		t.Errorf("%v %v (-want +got):\n%s", got, ok, diff)
	}
	if _, calls, _ := table.At(".text.k", 0x130); len(calls) > 0 {
		t.Errorf("behind the inlined code: %v", calls)
	}
}

// A row that names itself or a later one as its call is damaged, not endless.
func TestInlinedDamaged(t *testing.T) {
	table := read(t, 0, 3, 0x90, 1, 1, 3, 9, 1, 0, 3, 0x90, 99, 1, 2, 1, 1, 2, 0x10, 0, 1, 1)
	for _, offset := range []uint64{0x100, 0x101} {
		if _, calls, ok := table.At(".text.k", offset); !ok || len(calls) > 0 {
			t.Errorf("0x%x: %v %v", offset, calls, ok)
		}
	}
}

func TestErrors(t *testing.T) {
	good := program(append(append([]byte{}, address...), 1, 0, 1, 1)...)
	version := append([]byte{}, good...)
	version[4] = 5
	for _, test := range []struct {
		name, want string
		line       []byte
	}{
		{"length", "ends within a length", good[:2]},
		{"unit", "bytes, ", good[:20]},
		{"version", "version 5 of the line table is not known", version},
		{"wide", "64-bit form", []byte{0xff, 0xff, 0xff, 0xff}},
		{"header", "the header is", append([]byte{8, 0, 0, 0}, good[4:12]...)},
		{"program", "the program is cut off", program(2)},
	} {
		_, err := Read(Input{Line: test.line})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
	var none *Table
	if _, _, ok := none.At(".text.k", 0); ok || none.Sections() != 0 {
		t.Error("no table has lines")
	}
}

// FuzzRead looks for tables that break the reader; whatever it reads must have
// chains of calls that end.
func FuzzRead(f *testing.F) {
	f.Add(program(append(append([]byte{}, address...), 3, 9, 1, 0, 3, 0x90, 1, 1, 2, 0x10, 1, 0, 1, 1)...), []byte("\x00f\x00"), uint64(at), uint64(0x110))
	f.Add(program(10, 11, 12, 255, 8, 9, 1, 0, 0, 1, 1), []byte{}, uint64(0), uint64(0))
	f.Fuzz(func(t *testing.T, line, strings []byte, reloc, offset uint64) {
		table, _ := Read(Input{Line: line, Strings: strings, Relocs: map[uint64]Address{reloc: {Section: "s", Offset: 0x100}}})
		for _, section := range []string{"s", ""} {
			for o := range uint64(16) {
				if p, calls, ok := table.At(section, offset+o); len(calls) > maxCalls || ok && p.Line <= 0 {
					t.Errorf("%v %v", p, calls)
				}
			}
		}
	})
}
