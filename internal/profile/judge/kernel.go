package judge

import (
	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
)

// Kernel is what all launches of one kernel and launch shape came to that have
// one verdict.
type Kernel struct {
	Name      string // mangled; empty where neither the report nor a record has it
	Shown     string // for people: demangled, as far as that is known
	Arch      string
	Device    string
	Grid      profile.Dim // of the longest launch
	Grids     int         // how many different ones; counted up to mostGrids
	Block     profile.Dim
	Threads   int // per block
	Dynamic   int // dynamic shared memory per block, bytes; arch.Unknown
	Registers int // as the report has them; arch.Unknown
	Static    int // static shared memory per block, bytes, as the report has it; arch.Unknown
	Coarse    int // how coarse the report's sizes are, bytes; 0: exact
	IDs       []string
	Launches  int64
	TimeNanos float64
	Share     float64 // of the time of all launches, 0 to 1
	Place     profile.Place

	Record *Record
	Stale  *Record // of this name and with other numbers, where there is no Record
	Joined Joined
	// Several is how many records fit the name and the numbers, where that is
	// more than one: no guess is made.
	Several int

	// Shape is what occupancy was computed for; Occupancy is nil where it
	// can't be.
	Shape     arch.Launch
	Occupancy *arch.Occupancy
	SMs       float64 // NaN when unknown
	Waves     float64 // of the longest launch; NaN when unknown
	// ReportedPercent is the report's own theoretical occupancy; NaN without.
	ReportedPercent float64

	Counters Counters

	Verdict Verdict
	Message string
	Help    string
	Notes   []string
	Missing []string // sections that would tell more
	// Open are the verdicts that some of the launches may have in place of this
	// one: what they rest on is not in the report.
	Open []Verdict
}

// Counters are averages over the launches, weighted by their time; numbers of
// instructions are sums. NaN is absent.
type Counters struct {
	Achieved, Issue, Eligible, ActiveWarps, Busy float64
	Compute, Memory, DRAM, L2, L1, Tensor        float64
	Instructions, Local                          float64
	Stalls                                       []profile.Stall // percent, of the longest launch
	SpillsCounted                                bool            // Local is of spills alone, and not 0
}

// Result is what a profile came to.
type Result struct {
	Kernels   []Kernel // in order of time, the longest first
	TimeNanos float64
	Launches  int64
	Records   int   // how many records the launches were joined with
	Joined    int64 // launches with a record
	Beside    int64 // launches with a record that doesn't come from the report itself
	Others    int64 // launches whose record is another build's
	// Unjoined is the share of time of launches without a record; Stale is
	// that of launches whose record is another build's.
	Unjoined, Stale float64
	Devices         []string
	Archs           []string
	Counts          bool // some launch has counters
	// Left is how many launches are in no entry, and their share of time:
	// there were too many shapes.
	Left      int64
	LeftShare float64
}

// mostIDs is how many of a group's numbers are listed.
const mostIDs = 16

// mostGrids is how many different grids are counted.
const mostGrids = 64
