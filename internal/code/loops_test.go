package code

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// assemble writes a program for sm_80: one instruction a line, with an optional
// "label:" before it. There are nop, exit, ret, ldl, stl, bra L, call L, brx
// and bssy/bsync with a barrier; "?" before one guards it. The encodings are
// those of TestDecode.
func assemble(t *testing.T, program string) (Section, map[string]uint32) {
	t.Helper()
	var lines [][]string
	labels := map[string]uint32{}
	for line := range strings.Lines(program) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if name, ok := strings.CutSuffix(fields[0], ":"); ok {
			labels[name] = uint32(16 * len(lines))
			fields = fields[1:]
		}
		lines = append(lines, fields)
	}
	var text []byte
	for i, fields := range lines {
		op, guarded := strings.CutPrefix(fields[0], "?")
		distance := func() uint64 {
			to, ok := labels[fields[len(fields)-1]]
			if !ok {
				t.Fatalf("no label %s", fields[len(fields)-1])
			}
			return uint64(int64(to)-int64(16*i+16)) >> 2 // in words of four bytes
		}
		var w0, w1 uint64 = 0x7000, 0x3800000 // no guard, no second predicate
		if guarded {
			w0 = 0x8000
		}
		switch op {
		case "nop":
			w0 |= 0x918
		case "exit":
			w0 |= 0x94d
		case "ret":
			w0 |= 0x950
		case "ldl", "stl":
			w0, w1 = w0|1<<24|0x983, 0x800
			if op == "stl" {
				w0 = w0&^0xfff | 0x387
			}
		case "bra", "call":
			d := distance()
			w0, w1 = w0|0x947|d<<34, w1|d>>30&0x3ffff
			if op == "call" {
				w0 = w0&^0xfff | 0x944
			}
		case "brx":
			w0 |= 0x949
		case "bssy":
			w0 |= 0x945 | distance()<<34 | uint64(fields[1][1]-'0')<<16
		case "bsync":
			w0 |= 0x941 | uint64(fields[1][1]-'0')<<16
		default:
			t.Fatalf("no instruction %s", op)
		}
		text = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(text, w0), w1)
	}
	return Section{SM: 80, Text: text, Functions: []Function{{Name: "k", End: uint32(len(text)), Entry: true}}}, labels
}

// shape writes each loop as header depth/parent:instructions, by label.
func shape(c *Code, labels map[string]uint32) []string {
	var list []string
	for _, l := range c.Loops {
		name := fmt.Sprintf("0x%x", l.Header)
		for label, at := range labels {
			if at == l.Header {
				name = label
			}
		}
		list = append(list, fmt.Sprintf("%s depth %d in %d: %d instructions to 0x%x", name, l.Depth, l.Parent, l.Instructions, l.End))
	}
	return list
}

func TestLoops(t *testing.T) {
	for _, test := range []struct {
		name, program string
		tables        map[string][]string
		want          []string
		depths        map[string]string // by label
	}{
		{
			// As nvcc 12.4 leaves loops with __syncthreads() in them on sm_80.
			name: "loops that a call leaves",
			program: `
				nop
			a:  nop
			b:  ldl
				?call c
				bra b
			c:  stl
				?call d
				bra a
			d:  exit`,
			want:   []string{"a depth 1 in -1: 7 instructions to 0x70", "b depth 2 in 0: 3 instructions to 0x40"},
			depths: map[string]string{"a": "1", "b": "2", "c": "1", "d": "0"},
		},
		{
			// The same call without a guard: what follows it isn't reached.
			name: "a loop that a call closes",
			program: `
				nop
			a:  ldl
				?bra b
				call a
			b:  exit`,
			want:   []string{"a depth 1 in -1: 3 instructions to 0x30"},
			depths: map[string]string{"a": "1", "b": "0"},
		},
		{
			// What returns is a subroutine, and the loop is around its call.
			name: "a subroutine without a name",
			program: `
				nop
			a:  call f
			b:  ?bra a
				exit
			f:  ldl
				ret`,
			want:   []string{"a depth 1 in -1: 2 instructions to 0x20"},
			depths: map[string]string{"a": "1", "b": "1", "f": "0?"},
		},
		{
			name: "two loops, one in the other",
			program: `
				nop
			a:  nop
			b:  ldl
				?bra b
			c:  stl
				?bra a
			d:  exit`,
			want:   []string{"a depth 1 in -1: 5 instructions to 0x50", "b depth 2 in 0: 2 instructions to 0x30"},
			depths: map[string]string{"a": "1", "b": "2", "c": "1", "d": "0"},
		},
		{
			name: "two branches back to one header are one loop",
			program: `
			a:  nop
				?bra a
				nop
				?bra a
				exit`,
			want: []string{"a depth 1 in -1: 4 instructions to 0x30"},
		},
		{
			name: "a loop that is left in the middle, and one after it",
			program: `
			a:  nop
				?bra out
			x:  nop
				bra a
			out: nop
			b:  ldl
				?bra b
				exit`,
			want:   []string{"a depth 1 in -1: 4 instructions to 0x30", "b depth 1 in -1: 2 instructions to 0x60"},
			depths: map[string]string{"x": "1", "out": "0", "b": "1"},
		},
		{
			name: "a barrier leads over the other arm of a branch",
			program: `
			a:  bssy b0 join
				?bra else
				stl
				bsync b0
			else: ldl
				bsync b0
			join: nop
				?bra a
				exit`,
			want:   []string{"a depth 1 in -1: 8 instructions to 0x70"},
			depths: map[string]string{"else": "1", "join": "1"},
		},
		{
			name: "a table of branches is a loop",
			program: `
			a:  nop
				brx
			x:  stl
				bra a
			y:  ldl
				bra a
			z:  exit`,
			tables: map[string][]string{"0x10": {"x", "y", "z"}},
			want:   []string{"a depth 1 in -1: 6 instructions to 0x50"},
			depths: map[string]string{"x": "1", "y": "1", "z": "0"},
		},
		{
			name: "without the table what it leads to is unknown",
			program: `
			a:  nop
				brx
			x:  stl
				bra a`,
			depths: map[string]string{"a": "0", "x": "0?"},
		},
		{
			name: "a cycle with two entries",
			program: `
				?bra b
			a:  ldl
			b:  stl
				?bra a
			c:  exit`,
			depths: map[string]string{"a": "0?", "b": "0?", "c": "0"},
		},
		{
			name: "a cycle with two entries in a loop",
			program: `
			o:  nop
				?bra b
			a:  ldl
			b:  stl
				?bra a
			c:  nop
				?bra o
				exit`,
			want:   []string{"o depth 1 in -1: 7 instructions to 0x60"},
			depths: map[string]string{"o": "1", "a": "1?", "b": "1?", "c": "1"},
		},
		{
			// It has its loops, and those around its call, which are not counted.
			name: "code that is only called, without a symbol, is a root",
			program: `
			a:  call f
				?bra a
				exit
			f:  nop
			g:  ldl
				?bra g
				ret`,
			want:   []string{"a depth 1 in -1: 2 instructions to 0x10", "g depth 1 in -1: 2 instructions to 0x50"},
			depths: map[string]string{"a": "1", "f": "0?", "g": "1?"},
		},
		{
			name: "padding behind the end",
			program: `
				exit
			p:  bra p
				nop`,
			depths: map[string]string{"p": "0?"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, labels := assemble(t, test.program)
			for at, targets := range test.tables {
				var table Table
				if _, err := fmt.Sscanf(at, "0x%x", &table.At); err != nil {
					t.Fatal(err)
				}
				for _, l := range targets {
					table.Targets = append(table.Targets, labels[l])
				}
				s.Tables = append(s.Tables, table)
			}
			c, err := Read(s)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, shape(c, labels)); diff != "" {
				t.Errorf("loops (-want +got):\n%s", diff)
			}
			for label, want := range test.depths {
				d := c.Depth(labels[label])
				got := strconv.Itoa(d.Depth)
				if !d.Known {
					got += "?"
				}
				if got != want {
					t.Errorf("depth at %s: %s, want %s", label, got, want)
				}
			}
		})
	}
}

// On sm_50 the way on from SYNC and BRK is on a stack: the words are those of
// TestDecode with other distances.
func TestStack(t *testing.T) {
	text := make([]byte, 0x60)
	put := func(offset int, w uint64) { binary.LittleEndian.PutUint64(text[offset:], w) }
	nop := uint64(0x50b0000000070f00)
	for o := 8; o < len(text); o += 8 {
		put(o, nop)
	}
	// 08: PBK 0x58. 10: SSY 0x30. 18: @!P0 SYNC. 28: NOP. 30: @!P0 BRK. 38: STL. 48: BRA 0x10. 58: EXIT.
	put(0x08, 0xe2a0000000000040|(0x58-0x10)<<20)
	put(0x10, 0xe290000000000040|(0x30-0x18)<<20)
	put(0x18, 0xf0f800000008000f)
	put(0x28, 0xf0f800000007000f)
	put(0x30, 0xe34000000008000f)
	put(0x38, 0xef54000000470110)
	back := int64(0x10 - 0x50)
	put(0x48, 0xe24000000007000f|uint64(back)&0xffffff<<20)
	put(0x58, 0xe30000000007000f)
	c, err := Read(Section{SM: 50, Text: text, Functions: []Function{{Name: "k", End: 0x60}}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"0x10 depth 1 in -1: 6 instructions to 0x48"}
	if diff := cmp.Diff(want, shape(c, nil)); diff != "" {
		t.Errorf("loops (-want +got):\n%s", diff)
	}
	if d := c.Depth(0x58); !d.Known || d.Depth != 0 {
		t.Errorf("what BRK leads to: %+v", d)
	}
}

// Deep nests and long chains must not cost more than their size.
func TestLoopsManyAndDeep(t *testing.T) {
	const n = 20000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: nop\n", i)
	}
	for i := n - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "?bra a%d\n", i)
	}
	b.WriteString("exit\n")
	s, _ := assemble(t, b.String())
	c, err := Read(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Loops) != n || c.Loops[n-1].Depth != n {
		t.Errorf("%d loops, the last one at depth %d; want %d", len(c.Loops), c.Loops[len(c.Loops)-1].Depth, n)
	}
}

// FuzzRead looks for code that breaks the reader, and checks what must hold of
// any loops: an inner one is one deeper than the one around it and within it.
func FuzzRead(f *testing.F) {
	for _, sm := range []byte{35, 50, 61, 70, 80, 90, 120} {
		f.Add(sm, words(0x80, 0x20, 0xe24000001408000f, 0x000fea0003800000), uint32(0x20), uint32(0x40))
		f.Add(sm, words(0x100, 0x30, 0x0000001800f48947, 0x002fea0003800000), uint32(0), uint32(0x30))
	}
	f.Fuzz(func(t *testing.T, sm byte, text []byte, start, target uint32) {
		c, err := Read(Section{SM: int(sm), Text: text, Functions: []Function{{Name: "k", End: uint32(len(text))}, {Name: "f", Start: start, End: start + 64}},
			Tables: []Table{{At: start, Targets: []uint32{target, start}}}})
		if err != nil {
			return
		}
		for i, l := range c.Loops {
			if l.Start > l.Header || l.Header > l.End || l.Depth < 1 || l.Parent >= i {
				t.Errorf("loop %d: %+v", i, l)
			}
			if l.Parent < 0 {
				continue
			}
			if p := c.Loops[l.Parent]; p.Depth != l.Depth-1 || p.Start > l.Start || p.End < l.End || p.Instructions < l.Instructions {
				t.Errorf("loop %+v in %+v", l, p)
			}
		}
		for _, i := range c.Insts {
			if d := c.Depth(i.Offset); d.Loop >= len(c.Loops) {
				t.Errorf("%+v is in loop %d of %d", i, d.Loop, len(c.Loops))
			}
		}
	})
}
