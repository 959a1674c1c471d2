package tune

import (
	"fmt"
	"strconv"

	"github.com/occlint/occlint/internal/ptx"
)

// Bounds is what a kernel declares of its launch and its registers. 0 declares
// nothing.
type Bounds struct {
	Threads   int // the most per block
	MinBlocks int // resident per SM
	Registers int // the most per thread, by __maxnreg__
	// Fixed says that the block has exactly Threads threads (.reqntid). The
	// compiler caps registers by it as by a maximum.
	Fixed bool
}

// boundsOf reads what PTX declares.
func boundsOf(e *ptx.Entry) Bounds {
	b := Bounds{Threads: e.MaxThreads, MinBlocks: e.MinBlocks, Registers: e.MaxRegisters}
	if e.Threads > 0 {
		b.Threads, b.Fixed = e.Threads, true
	}
	return b
}

func (b Bounds) String() string {
	switch {
	case b.Registers > 0 && b.Threads > 0:
		return fmt.Sprintf("(%d, %d), at most %d registers", b.Threads, b.MinBlocks, b.Registers)
	case b.Registers > 0:
		return fmt.Sprintf("at most %d registers", b.Registers)
	case b.Threads > 0 && b.MinBlocks > 0:
		return fmt.Sprintf("(%d, %d)", b.Threads, b.MinBlocks)
	case b.Threads > 0:
		return fmt.Sprintf("(%d)", b.Threads)
	}
	return "no bounds"
}

// Kind is how a variant comes by its bounds.
type Kind uint8

// The kinds.
const (
	AsWritten Kind = iota // the untouched command
	Unbounded             // the kernel's own bounds taken away
	Declared              // bounds of ours in place of its own
)

// Variant is one way to compile a kernel.
type Variant struct {
	Kind Kind
	Bounds
}

// Name is the variant's name in JSON, CSV and OCCLINT_VARIANT: "as-written",
// "none", "256" or "256,4".
func (v Variant) Name() string {
	switch {
	case v.Kind == AsWritten:
		return "as-written"
	case v.Kind == Unbounded:
		return "none"
	case v.MinBlocks > 0:
		return fmt.Sprintf("%d,%d", v.Threads, v.MinBlocks)
	}
	return strconv.Itoa(v.Threads)
}

// Title is the variant's name for people.
func (v Variant) Title() string {
	switch v.Kind {
	case AsWritten:
		return "as written"
	case Unbounded:
		return "none"
	case Declared:
	}
	return v.String()
}
