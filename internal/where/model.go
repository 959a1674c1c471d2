package where

// Certainty says how far the bytes of spills can be relied on.
type Certainty uint8

const (
	// Unknown is where what is a spill and what an array can't be told. Positions,
	// lines and loops are still right.
	Unknown Certainty = iota
	// About is where a rule told spills from a local array's accesses. It is right
	// most of the time; no verdict rests on it alone.
	About
	// Exact is where the compiler lists its spills, or nothing but spills is there,
	// or the compiler's log has the same number.
	Exact
)

// Kernel is one kernel or function, and where it uses local memory.
type Kernel struct {
	Name   string // mangled
	Parent string // of a function compiled for one kernel: that kernel
	Entry  bool
	Arch   string
	File   string // the binary
	// Variant is the configuration that a just-in-time compiler's cache notes
	// beside the image, and its hash.
	Variant string
	// Unlinked is as in Unit.
	Unlinked bool

	// Bytes of spill stores and loads, counted as the compiler counts them:
	// once for each instruction. Only where Certainty isn't Unknown.
	SpillStoreBytes, SpillLoadBytes int64
	ArrayStoreBytes, ArrayLoadBytes int64 // what is local traffic and no spill
	Certainty                       Certainty
	// Log is what the compiler printed, where it was compared.
	Log *Stated
	// Notes say what is not known and why.
	Notes []string

	Instructions int
	Loops        []Loop // by depth, then by offset
	Sites        []Site // by offset
	Calls        []Call // of functions in the same section

	// CalledDepth is how many loops of its callers are around the deepest
	// call of a function; 0 for kernels.
	CalledDepth int

	// OtherCallers is set for a function that code elsewhere calls, or may
	// call: a linker's, another section's. The loops around those calls are
	// not known.
	OtherCallers bool

	// HasLines is set where the binary has a line table for this code.
	HasLines bool
}

// Loop is a natural loop. Its bytes are those of one pass through all of its
// code, inner loops included.
type Loop struct {
	ID           int
	Parent       int // ID of the loop around it; -1 for none
	Depth        int // 1: an outermost loop
	Start, End   uint32
	Instructions int
	Place        Place // where the loop stands; the zero Place: not known
	LastLine     int   // in the same file; 0: not known

	SpillStoreBytes, SpillLoadBytes int64
	ArrayStoreBytes, ArrayLoadBytes int64
	// OwnSpillStoreBytes and OwnSpillLoadBytes leave the inner loops out.
	OwnSpillStoreBytes, OwnSpillLoadBytes int64
}

// Place is a source line with the calls through which it got into the kernel.
type Place struct {
	File string
	Line int
	// Inlined is where the line's function was inlined, nearest call first.
	// The last one is in the kernel itself.
	Inlined []Place
}

// Outer is the kernel's own line: the outermost call.
func (p Place) Outer() Place {
	if n := len(p.Inlined); n > 0 {
		return p.Inlined[n-1]
	}
	return p
}

// Site is one instruction that reads or writes local memory.
type Site struct {
	Offset uint32 // from the function's start
	Load   bool   // else a store
	Bytes  int
	// Spill says what the access is for. Told is unset where that isn't
	// known.
	Spill, Told bool
	Loop        int // ID of the innermost loop; -1 for none
	Depth       int
	DepthKnown  bool // else Depth is the least it can be
	Place       Place
}

// Call is a call of a function in the same section.
type Call struct {
	Offset uint32
	Name   string
	Loop   int
	Depth  int
	Place  Place
}

// SpillBytes are all bytes of spills.
func (k *Kernel) SpillBytes() int64 { return k.SpillStoreBytes + k.SpillLoadBytes }

// ArrayBytes are all bytes of other local traffic.
func (k *Kernel) ArrayBytes() int64 { return k.ArrayStoreBytes + k.ArrayLoadBytes }

// LoopSpillBytes are the bytes of spills that stand in a loop, of this function
// or around its calls.
func (k *Kernel) LoopSpillBytes() int64 {
	var n int64
	for i := range k.Sites {
		if s := &k.Sites[i]; s.Spill && s.Depth+k.CalledDepth > 0 {
			n += int64(s.Bytes)
		}
	}
	return n
}

// DeepestSpill is how many loops are around the spill that has most of them.
func (k *Kernel) DeepestSpill() int {
	deepest := 0
	for i := range k.Sites {
		if s := &k.Sites[i]; s.Spill {
			deepest = max(deepest, s.Depth+k.CalledDepth)
		}
	}
	return deepest
}

// DepthsKnown reports whether the loops around every spill are known.
func (k *Kernel) DepthsKnown() bool {
	for i := range k.Sites {
		if s := &k.Sites[i]; (s.Spill || !s.Told) && (!s.DepthKnown || k.OtherCallers) {
			return false
		}
	}
	return true
}
