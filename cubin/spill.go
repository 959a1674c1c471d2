package cubin

import (
	"encoding/binary"
	"iter"
	"sort"

	"github.com/occlint/occlint/parse"
)

// Spill is one instruction that ptxas lists as a spill, from CUDA 12.8 on.
type Spill struct {
	Kind   uint32 // 1 everywhere so far
	Offset uint64 // of the instruction in its .text section
}

// Spills iterates over the spill instructions that the image lists for a
// function and what stands in its section, in file order.
func (f *File) Spills(fn *Function) iter.Seq[Spill] {
	return func(yield func(Spill) bool) {
		if fn.Info <= 0 || fn.Info >= len(f.Sections) {
			return
		}
		for a := range f.Sections[fn.Info].Attributes() {
			if a.Code != CodeSpills {
				continue
			}
			for b := a.Payload; len(b) >= 8; b = b[8:] {
				if !yield(Spill{binary.LittleEndian.Uint32(b), uint64(binary.LittleEndian.Uint32(b[4:]))}) {
					return
				}
			}
		}
	}
}

// readSpills sums the bytes of listed spills by function. In an image of CUDA
// 13 a kernel without a list has no spills, unless it was compiled with -G:
// those have no list whatever they do. CUDA 12.8 writes lists as well, and no
// log of it was at hand to say the same of kernels without one. A kernel
// without a stack frame has nowhere to spill to, whatever made it.
func (f *File) readSpills() {
	for i := range f.Functions {
		if fn := &f.Functions[i]; fn.StackBytes == parse.Some(0) {
			fn.SpillStoreBytes, fn.SpillLoadBytes = fn.StackBytes, fn.StackBytes
		}
	}
	if f.Debug {
		return
	}
	for first := 0; first < len(f.Functions); {
		end := first + 1
		for end < len(f.Functions) && f.Functions[end].Section == f.Functions[first].Section {
			end++
		}
		f.sumSpills(f.Functions[first:end])
		first = end
	}
}

// sumSpills judges the functions of one section, in order of offset.
func (f *File) sumSpills(fns []Function) {
	stores, loads := make([]int64, len(fns)), make([]int64, len(fns))
	text := &f.Sections[fns[0].Section]
	listed := f.ABI >= 8
	for _, fn := range fns {
		for spill := range f.Spills(&fn) {
			listed = true
			bytes, store, ok := localAccess(text.Data, spill.Offset)
			if !ok { // a kind of list that is not known: better no number than half of one
				return
			}
			if at := innermost(fns, spill.Offset); store {
				stores[at] += bytes
			} else {
				loads[at] += bytes
			}
		}
	}
	for i := range fns {
		// ptxas counts the registers that a device function saves for its
		// caller as spills, and does not list them.
		if fns[i].Entry && listed {
			fns[i].SpillStoreBytes, fns[i].SpillLoadBytes = parse.Some(stores[i]), parse.Some(loads[i])
		}
	}
}

// innermost returns the function that an offset belongs to: the last that
// begins at or before it, or the entry around it where that one has ended.
func innermost(fns []Function, offset uint64) int {
	at := sort.Search(len(fns), func(i int) bool { return fns[i].Offset > offset }) - 1
	if at > 0 && offset-fns[at].Offset < fns[at].Size {
		return at
	}
	return 0
}

// Opcodes of sm_70 and later, bits 0-11 of the first word.
const (
	opLoadLocal  = 0x983 // LDL
	opStoreLocal = 0x387 // STL
)

// localAccess decodes how many bytes an LDL or STL moves: bits 9-11 of the
// second word. Instructions of sm_70 and later have two words of 8 bytes.
func localAccess(text []byte, offset uint64) (bytes int64, store, ok bool) {
	if offset > uint64(len(text)) || uint64(len(text))-offset < 16 {
		return 0, false, false
	}
	op := binary.LittleEndian.Uint64(text[offset:]) & 0xfff
	size := binary.LittleEndian.Uint64(text[offset+8:]) >> 9 & 7
	widths := [8]int64{1, 1, 2, 2, 4, 8, 16, 0}
	return widths[size], op == opStoreLocal, (op == opLoadLocal || op == opStoreLocal) && widths[size] > 0
}
