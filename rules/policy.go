package rules

import (
	"time"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// Policy is everything that the rules judge by. It is plain data: a config
// file, sources and PTX are merged into one elsewhere, and a Go program can
// fill it by hand.
type Policy struct {
	// Archs names the architectures to judge ("sm_90" covers sm_90a); empty
	// judges all that the log has. Each carries the place that asked for it.
	Archs []Judged
	// ExpectKernels is the least number of kernels in a full log; 0 asks for none.
	ExpectKernels int
	ExpectOrigin  Origin
	// Declarations apply in order; per field, the later one wins.
	Declarations []Declaration
	// Places says of kernels and functions where their code uses local memory,
	// as binaries show it.
	Places map[PlaceKey]*Places
	// Rules are asked beside those of the registry.
	Rules []*Rule
	// Severities overrides a rule's default severity by rule id.
	Severities map[string]Severity
	// Ignores suppress findings, each with a reason.
	Ignores []Ignore
	// Baseline accepts today's findings.
	Baseline *Baseline
	// Base has the findings of another log (BaseEntries makes them): only what
	// is new or worse counts. That something of it is gone is no finding.
	Base *Baseline
	// GPUs and architectures known beside the built-in tables; nil means
	// the built-in ones.
	Table *arch.Table
	// GPU names the device that bytes-in-flight is judged for; empty: none.
	GPU string
	// Partial says that the log covers only a part of the build.
	Partial bool
	// Today decides whether an Ignore has run out; the zero time never ends one.
	Today time.Time
}

// Judged is an architecture to judge.
type Judged struct {
	Arch   string
	Origin Origin
}

// OriginKind says what kind of text declared something.
type OriginKind string

// The kinds of origin, from the weakest to the strongest.
const (
	FromDefaults OriginKind = "defaults"
	FromSource   OriginKind = "source"
	FromPTX      OriginKind = "ptx"
	FromConfig   OriginKind = "config"
	FromBaseline OriginKind = "baseline"
	FromBase     OriginKind = "base"    // the log to compare with has it already
	FromLog      OriginKind = "log"     // the compiler itself said so (a maxrregcount remark)
	FromProfile  OriginKind = "profile" // a profiler saw it launched like this
)

// Origin is where something was declared, and its text.
type Origin struct {
	From  OriginKind  `json:"from"`
	Place parse.Place `json:"place,omitzero"`
	// Text is the declaration as written: "__launch_bounds__(256, 4)".
	Text string `json:"text,omitempty"`
}

// Field is one declared value and where it was declared. The zero Field
// declares nothing.
type Field[T any] struct {
	Value  T
	Origin Origin
	Set    bool
}

// Declared makes a Field that is set, for policies that are written in Go. Its
// origin is that of the Declaration that it stands in.
func Declared[T any](v T) Field[T] { return Field[T]{Value: v, Set: true} }

// Bounds are launch bounds. MinBlocks 0 declares no minimum. The zero Bounds in
// a Field that is set, of PTX, say that the compiler was told none.
type Bounds struct {
	Threads   int // the most threads per block
	MinBlocks int // the fewest resident blocks per SM
}

// Declaration is what one place declares for the kernels that it matches.
type Declaration struct {
	// Match is a mangled name, a whole demangled name without parameters, a
	// pattern with * and ?, or "re:" and a regular expression. Empty matches
	// every kernel (defaults).
	Match string
	// Names lists the mangled names that the declaration is for, byte for
	// byte. Where it is set, Match only tells people what is meant: one
	// kernel of the source can have thousands of instantiations in a log, and
	// all that declare the same share one Declaration.
	Names []string
	// Archs limits the declaration to these architectures; empty: all.
	Archs  []string
	Origin Origin
	// Inherited says that the declaration was written for more than what is
	// judged here, so that matching nothing is no finding.
	Inherited bool
	// Cause says what makes its bounds differ from those of another
	// declaration; empty where that is not known, or nothing differs.
	Cause string

	LaunchBounds  Field[Bounds]
	Block         Field[int]   // threads really launched
	DynamicShared Field[int64] // bytes
	MaxRegisters  Field[int]   // maxnreg: a cap, not a budget; 0, of PTX: none

	// Budgets: more than this is a finding.
	Registers       Field[int64]
	SpillStoreBytes Field[int64]
	SpillLoadBytes  Field[int64]
	LoopSpillBytes  Field[int64] // in one pass through a loop, stores and loads
	StackBytes      Field[int64]
	SharedBytes     Field[int64]
	Barriers        Field[int64]
	// MinOccupancy is in percent: less than this is a finding.
	MinOccupancy Field[float64]
	// BytesInFlight is per thread.
	BytesInFlight Field[int64]

	// DynamicSharedUsed says that the source has `extern __shared__`.
	DynamicSharedUsed Field[bool]
	// PTX is where the kernel stands in PTX that was read.
	PTX Field[parse.Place]
	// Unresolved says why bounds that the source has could not be read.
	Unresolved Field[string]
	// Launched is what a profiler saw of the kernel. A declaration of
	// FromProfile can give Block and DynamicShared with it; put it before all
	// others, so that it counts only where nothing else declares them.
	Launched Field[Launched]
	// Message is the team's own words, shown with each finding.
	Message Field[string]
	// Source is where the kernel itself stands, for findings to point to.
	Source Field[parse.Place]
}

// Launched is what a profiler saw of a kernel. Numbers that it doesn't state
// are arch.Unknown.
type Launched struct {
	Registers    int // per thread; 16 at least, whatever the kernel uses
	StaticShared int // bytes per block
	// Coarse is how coarse sizes are printed, in bytes; 0: exactly.
	Coarse int
	Shapes []LaunchShape // the one with most of the time first
}

// LaunchShape is one way in which a kernel was launched.
type LaunchShape struct {
	Threads       int     // per block
	DynamicShared int     // bytes per block; arch.Unknown where it isn't stated
	Launches      int64   // how many
	Share         float64 // of the time of everything that was profiled, 0 to 1
}

// Ignore suppresses the findings of one rule for the kernels that it matches.
type Ignore struct {
	Rule   string
	Match  string   // as Declaration.Match
	Names  []string // as Declaration.Names
	Archs  []string
	Reason string
	Until  time.Time // zero: no end
	Origin Origin
	// Inherited as Declaration.Inherited: suppressing nothing is no finding.
	Inherited bool
}

// Baseline is a list of findings that are accepted as they are today.
type Baseline struct {
	Entries []BaselineEntry
	// Tolerance is how much worse than recorded still passes, by Field;
	// "spills" stands for spill stores and loads.
	Tolerance map[string]float64
	Origin    Origin
}

// BaselineEntry accepts one number of one finding: no worse than Value. A
// finding with several numbers needs an entry for each; BaselineEntries makes
// them.
type BaselineEntry struct {
	Rule   string
	Kernel string // canonical name
	Arch   string
	Field  string // as Finding.Field; empty where the finding has no number
	Detail string // as Finding.Detail; empty for most rules
	Value  float64
	Reason string
	Origin Origin
}
