package cubin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

// Dim is a block shape: threads in x, y and z. The zero value is absent.
type Dim [3]uint32

// Threads is the product, 0 when absent.
func (d Dim) Threads() int64 {
	n := int64(1)
	for _, x := range d {
		if x > 1<<16 { // no block is this large; and no product overflows
			return 0
		}
		n *= int64(x)
	}
	return n
}

// Function is one kernel or device function of an image. Numbers are per
// thread (registers, stack, spills) or per block (shared memory, barriers).
type Function struct {
	Name     string // as ptxas prints it, so without the caller in front
	Symbol   int    // index into File.Symbols
	Entry    bool   // a kernel
	Internal bool   // one of the compiler's own helpers, such as a slow division
	Parent   string // the entry in whose section it stands and for which it was compiled; empty for entries and in -G and -rdc builds
	Section  int    // index of its .text section
	Offset   uint64 // of its first instruction in that section
	Size     uint64 // bytes; an entry's include the functions that it calls
	Info     int    // index of its .nv.info.F section, 0 for none

	Registers            parse.Count // as in "Used N registers"
	StackBytes           parse.Count // its own frame; absent for functions with a Parent, whose arrays are in the parent's
	CumulativeStackBytes parse.Count // with all callees; absent likewise
	StackUnbounded       bool        // recursion or calls through pointers: no cumulative number exists
	SharedBytes          parse.Count // static, as ptxas counts it: without the 1 KiB that the system reserves from sm_90 on; entries only
	LocalBytes           parse.Count // .nv.local.F; in old images only
	Barriers             parse.Count // named barriers; entries only
	ConstBytes           parse.Banks
	ParameterBytes       parse.Count

	MaxThreads      Dim         // __launch_bounds__ or .maxntid
	RequiredThreads Dim         // .reqntid or __block_size__
	RegisterCap     parse.Count // the cap in force, 255 for none

	// SpillStoreBytes and SpillLoadBytes are known of entries that list their
	// spills (from CUDA 12.8 on, not with -G), of all entries of CUDA 13, and
	// of whatever has no stack frame. They include no callee's.
	SpillStoreBytes, SpillLoadBytes parse.Count
}

const (
	entryBit      = 0x10     // of st_other: STO_CUDA_ENTRY
	infoSymbol    = 0xffffff // of a .text section's sh_info: the symbol that owns it
	internalStart = "$__internal_"
	// reservedShared is what the system takes of each block's shared memory
	// from sm_90 on, counted in .nv.shared.F of linked images only.
	reservedShared = 1024
)

// readFunctions lists the functions that have code.
func (f *File) readFunctions() {
	for i := range f.Symbols {
		s := &f.Symbols[i]
		if s.Type != SymbolFunc || s.Section <= 0 || s.Section >= len(f.Sections) {
			continue
		}
		text := &f.Sections[s.Section]
		if !strings.HasPrefix(text.Name, ".text") {
			continue
		}
		fn := Function{
			Name: s.Name, Symbol: i, Entry: s.Other&entryBit != 0,
			Section: s.Section, Offset: s.Value, Size: s.Size,
		}
		if s.Value > text.Size || s.Size > text.Size-s.Value {
			f.fault(text.Offset, "function %d of %d bytes at %d reaches behind its section of %d bytes", i, s.Size, s.Value, text.Size)
			fn.Offset, fn.Size = min(s.Value, text.Size), 0
		}
		if owner := int(text.Info & infoSymbol); owner != i && owner < len(f.Symbols) {
			if o := &f.Symbols[owner]; o.Type == SymbolFunc && o.Other&entryBit != 0 {
				fn.Parent = o.Name
			}
		}
		fn.Name, fn.Internal = plainName(s.Name, fn.Parent)
		f.Functions = append(f.Functions, fn)
	}
	slices.SortFunc(f.Functions, func(a, b Function) int {
		return cmp.Or(a.Section-b.Section, cmp.Compare(a.Offset, b.Offset), boolOrder(b.Entry, a.Entry), a.Symbol-b.Symbol)
	})
}

func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// plainName takes the caller off "$caller$callee", and the number off
// "$__internal_0_$__cuda_sm20_sqrt_rn_f32_slowpath".
func plainName(name, parent string) (plain string, internal bool) {
	if rest, found := strings.CutPrefix(name, "$"+parent+"$"); found && parent != "" {
		return rest, false
	}
	if rest, found := strings.CutPrefix(name, internalStart); found {
		if _, plain, found := strings.Cut(rest, "$"); found {
			return plain, true
		}
	}
	return name, strings.HasPrefix(name, "__cuda_sm") || strings.HasPrefix(name, "__internal_")
}

// owners finds for each .text section the function that the sections
// .nv.info.F, .nv.shared.F and .nv.constantN.F speak of: the symbol that
// sh_info names, else the first function there.
func (f *File) owners() []*Function {
	owners := make([]*Function, len(f.Sections))
	for i := range f.Functions {
		fn := &f.Functions[i]
		if owners[fn.Section] == nil || int(f.Sections[fn.Section].Info&infoSymbol) == fn.Symbol {
			owners[fn.Section] = fn
		}
	}
	return owners
}

// readFunctionSections takes the numbers that are a section's size or flags,
// and the attributes of each function.
func (f *File) readFunctionSections() {
	for i := range f.Functions {
		fn := &f.Functions[i]
		if !fn.Entry {
			continue
		}
		fn.SharedBytes = parse.Some(0)
		fn.Barriers = parse.Some(0)
		if f.ABI == 7 {
			fn.Barriers = parse.Some(int64(f.Sections[fn.Section].Flags >> 20 & 0x7f))
		}
	}
	owners := f.owners()
	for i := range f.Sections {
		s := &f.Sections[i]
		var fn *Function
		if int64(s.Info) < int64(len(f.Sections)) {
			fn = owners[s.Info]
		}
		switch {
		case s.Name == ".debug_info":
			f.Debug = true
		case s.Name == ".nv.global" || s.Name == ".nv.global.init":
			f.GlobalBytes += int64(min(s.Size, 1<<40))
		case !strings.HasPrefix(s.Name, ".nv."):
		case strings.HasPrefix(s.Name, ".nv.constant"):
			f.readConstant(s, fn)
		case fn == nil:
		case strings.HasPrefix(s.Name, ".nv.info."):
			fn.Info = i
			f.attributes(i, fn.take)
		case strings.HasPrefix(s.Name, ".nv.shared."):
			fn.SharedBytes = parse.Some(f.sharedAsPtxas(s.Size))
		case strings.HasPrefix(s.Name, ".nv.local."):
			fn.LocalBytes = parse.Some(int64(min(s.Size, 1<<40)))
		}
	}
}

// sharedAsPtxas takes off what the linker adds from sm_90 on.
func (f *File) sharedAsPtxas(size uint64) int64 {
	if f.SM >= 90 && !f.Relocatable && size >= reservedShared {
		size -= reservedShared
	}
	return int64(min(size, 1<<40))
}

// readConstant takes the size of one constant bank of a function or the file.
func (f *File) readConstant(s *Section, fn *Function) {
	number, _, ofFunction := strings.Cut(s.Name[len(".nv.constant"):], ".")
	bank, err := strconv.ParseUint(number, 10, 8)
	if err != nil {
		return
	}
	banks := &f.ConstBytes
	if ofFunction {
		if fn == nil {
			return
		}
		banks = &fn.ConstBytes
	}
	if _, known := banks.Bytes(int(bank)); !known {
		*banks = banks.With(int(bank), int64(min(s.Size, 1<<40)))
	}
}

// take reads one attribute of a function.
func (fn *Function) take(a Attribute) {
	switch a.Code {
	case CodeMaxThreads:
		fn.MaxThreads = a.dim()
	case CodeRequiredThreads:
		fn.RequiredThreads = a.dim()
	case CodeRegisterCap:
		fn.RegisterCap = parse.Some(int64(a.Value))
	case CodeParameterBytes:
		fn.ParameterBytes = parse.Some(int64(a.Value))
	case CodeBarriers:
		fn.Barriers = parse.Some(int64(a.Value & 0xff))
	default:
	}
}

// readFileAttributes takes registers and stack from .nv.info, by symbol.
func (f *File) readFileAttributes() {
	bySymbol := make([]int32, len(f.Symbols)) // index into Functions, plus 1
	for i := range f.Functions {
		bySymbol[f.Functions[i].Symbol] = int32(i + 1)
	}
	for i := range f.Sections {
		if f.Sections[i].Name != ".nv.info" {
			continue
		}
		f.attributes(i, func(a Attribute) {
			symbol, n, ok := a.pair()
			if !ok || symbol < 0 || symbol >= len(bySymbol) || bySymbol[symbol] == 0 {
				return
			}
			f.Functions[bySymbol[symbol]-1].takeOfFile(a.Code, n)
		})
	}
	for i := range f.Functions {
		fn := &f.Functions[i]
		// The count in sh_info is the function's own: too low where a callee
		// needs more. It is better than none.
		if own := f.Sections[fn.Section].Info >> 24; !fn.Registers.Stated() && own > 0 && fn.Offset == 0 {
			fn.Registers = parse.Some(int64(own))
		}
	}
}

// unknownStack is the cumulative stack of a function that recurses.
const unknownStack = 0xffffffff

func (fn *Function) takeOfFile(code Code, n uint32) {
	if fn.Parent != "" {
		// Where a function stands in its caller's section, the caller's frame
		// has its arrays, and the numbers for the function itself are not
		// those that ptxas prints.
		return
	}
	switch code {
	case CodeRegisters:
		fn.Registers = parse.Some(int64(n))
	case CodeFrame:
		fn.StackBytes = parse.Some(int64(n))
	case CodeCumulative:
		if n == unknownStack {
			fn.StackUnbounded = true
			return
		}
		fn.CumulativeStackBytes = parse.Some(int64(n))
	default:
	}
}
