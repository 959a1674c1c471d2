package tune

import (
	"github.com/occlint/occlint/arch"
)

// Result is what tuning found, one Table for each kernel.
type Result struct {
	Tables []Table
	Method string
	Notes  []string // of the whole run
}

// Table is one kernel on one architecture.
type Table struct {
	Name  string // mangled
	Arch  string // "sm_90a"
	SM    *arch.SM
	Today Bounds // as written, by its own PTX

	Launch Launch
	Rows   []Row
	Notes  []string
	// Verdict is what the measured times say; nil where nothing was timed.
	Verdict *Verdict

	base         *compiled // as written
	clusterRank  int       // the third launch bound
	maxRegisters int       // of the command's -maxrregcount; 0: it has none
	aim          target    // where its bounds are written
	sisters      []string  // other kernels that are declared there
}

// Launch is what is known of how a kernel is launched.
type Launch struct {
	Threads      []int  // block sizes to plan for; none: by the kernel's own bounds
	DynamicBytes int    // dynamic shared memory per block
	DynamicKnown bool   // somebody declared it, be it 0
	From         string // who said the block size: "--threads", "the config"; empty: the kernel's bounds
}

// Row is one variant.
type Row struct {
	Variant
	Cap     int // the most registers that the bounds leave
	Threads int // the block size that the occupancy is for

	Numbers
	arch.Occupancy
	CompileMillis float64

	Frontier bool
	// SameAs is the index of the first row with the very same machine code; -1
	// where this row is the first.
	SameAs int
	// Time is what the benchmark took; nil where it did not run.
	Time *Timing
	// Error is why the row has no numbers; empty where it has them.
	Error string
	// TimeError is why the benchmark has no time for the row.
	TimeError string
}

// SpillBytes are stores and loads together.
func (r *Row) SpillBytes() int { return r.SpillStoreBytes + r.SpillLoadBytes }

// Measured reports whether the row has numbers.
func (r *Row) Measured() bool { return r.Error == "" }
