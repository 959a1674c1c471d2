package code

import (
	"fmt"
	"slices"
)

// Section is one text section, as it stands in the file.
type Section struct {
	SM        int // the architecture's number: 90 for sm_90a too
	Text      []byte
	Functions []Function
	Tables    []Table
}

// Function is a range of a section that a symbol names. The kernel's own symbol
// may span the functions that stand inside of its section; the smallest range
// around an instruction is the one that owns it.
type Function struct {
	Name       string
	Start, End uint32 // bytes from the section's start
	Entry      bool   // it can be launched: nothing is there to return to
}

// Table lists where an indirect branch can go.
type Table struct {
	At      uint32 // the branch
	Targets []uint32
}

// Code is what was read of one section.
type Code struct {
	Insts []Inst // those that matter, by offset
	Loops []Loop // by depth, then by offset of the header

	Width uint32 // bytes of one slot
	// PositionsOnly is set where the control flow of this architecture could
	// not be compared with a disassembler's: then no depth is known.
	PositionsOnly bool
	// Unresolved lists the offsets of branches whose targets the file doesn't
	// tell: what they lead to may be in more loops than is known.
	Unresolved []uint32

	size      uint32
	control   func(uint32, uint64) bool
	functions []Function
	blocks    []block
}

// block is a run of slots that control enters at the start and leaves at the end.
type block struct {
	start, end  uint32
	first, last int // Insts[first:last]
	loop        int32
	state       blockState
}

type blockState uint8

const (
	unreached blockState = iota // nothing known leads here, or calls without a name alone
	reached
	tangled // part of a cycle that can be entered at several places
)

// maxText bounds a section: offsets are 32 bits wide and a graph costs several
// times the code.
const maxText = 1 << 30

// Read takes a section apart. An error says that its architecture is not known
// or that it can't be code; nothing is read then.
func Read(s Section) (*Code, error) {
	f, err := familyOf(s.SM)
	if err != nil {
		return nil, err
	}
	if len(s.Text) > maxText {
		return nil, fmt.Errorf("a text section of %d bytes is more than occlint reads (%d)", len(s.Text), maxText)
	}
	c := &Code{Insts: f.decode(s.Text), Width: f.width, PositionsOnly: !f.exact, size: uint32(len(s.Text)), control: f.control}
	for _, fn := range s.Functions {
		if fn.Start < c.size && fn.End > fn.Start {
			fn.End = min(fn.End, c.size)
			c.functions = append(c.functions, fn)
		}
	}
	if c.PositionsOnly {
		return c, nil
	}
	g := newGraph(c, s.Tables)
	g.dominators()
	g.loops()
	g.tangles()
	return c, nil
}

// Depth says how an offset stands in the loops.
type Depth struct {
	Loop  int // index in Loops of the innermost one; -1 for none
	Depth int // loops around it
	// Known is unset where nothing known leads to the instruction, or where it
	// is part of a cycle with several entries: then Depth is the least it can be.
	Known bool
}

// Depth returns where an offset stands.
func (c *Code) Depth(offset uint32) Depth {
	b := c.block(offset)
	if b < 0 {
		return Depth{Loop: -1}
	}
	d := Depth{Loop: int(c.blocks[b].loop), Known: c.blocks[b].state == reached}
	if d.Loop >= 0 {
		d.Depth = c.Loops[d.Loop].Depth
	}
	return d
}

// block returns the index of the block around an offset, or -1.
func (c *Code) block(offset uint32) int {
	i, found := slices.BinarySearchFunc(c.blocks, offset, func(b block, o uint32) int { return int(int64(b.start) - int64(o)) })
	if !found {
		i--
	}
	if i < 0 || offset >= c.blocks[i].end {
		return -1
	}
	return i
}

// slots counts the instructions between two offsets.
func (c *Code) slots(start, end uint32) int {
	n := int(end-start) / int(c.Width)
	if c.Width == 16 {
		return n
	}
	// One slot in four is none.
	return n - (int(end+31)/32 - int(start+31)/32)
}

// Instructions counts the slots with an instruction between two offsets.
func (c *Code) Instructions(start, end uint32) int {
	if end <= start {
		return 0
	}
	return c.slots(start, end)
}
