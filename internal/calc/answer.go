package calc

import (
	"github.com/occlint/occlint/arch"
)

// Subject is one launch on one architecture.
type Subject struct {
	Kernel string // mangled, byte for byte; empty where the numbers were given by hand
	Arch   string // as asked for: "sm_90a"
	SM     *arch.SM
	Launch arch.Launch // Registers and Barriers may be arch.Unknown
	// DynamicBytes is the part of Launch.SharedBytes that is dynamic.
	DynamicBytes int
	// ThreadsFrom says who chose Launch.Threads, where nobody gave it by hand.
	ThreadsFrom ThreadsFrom
}

// ThreadsFrom is where a block size comes from.
type ThreadsFrom string

// The sources of a block size.
const (
	GivenThreads     ThreadsFrom = ""
	SuggestedThreads ThreadsFrom = "suggested"     // the smallest with the most warps
	BoundsThreads    ThreadsFrom = "launch_bounds" // those asked about
	DeclaredThreads  ThreadsFrom = "declared"      // by config or sources
)

// Bounds are launch bounds to ask about. MinBlocks 0 declares no minimum.
type Bounds struct{ Threads, MinBlocks int }

// Request is a question.
type Request struct {
	Subjects []Subject
	Sweeps   []arch.Resource // Registers, Warps (block sizes) or Shared
	Suggest  bool            // block sizes
	Blocks   int             // with Suggest: for so many blocks per SM; 0: for all numbers of blocks
	Bounds   *Bounds
	GPU      *arch.GPU
	// Table is where GPU and the subjects' architectures are from; nil is the
	// builtin one.
	Table *arch.Table
	// BytesInFlight is per thread; 0 doesn't ask.
	BytesInFlight int
	Grid          int64 // blocks; 0 doesn't ask
}

// Answer is all that was asked about one subject.
type Answer struct {
	Subject
	arch.Occupancy
	Steps   []arch.Step
	Bounds  *BoundsAnswer
	Memory  *Memory
	Sweeps  []Sweep
	Suggest *Suggestion
}

// Answers computes the answer for each subject, in order.
func (r *Request) Answers() []Answer {
	out := make([]Answer, len(r.Subjects))
	for i, s := range r.Subjects {
		a := Answer{Subject: s, Occupancy: s.SM.Occupancy(s.Launch), Steps: s.SM.Steps(s.Launch)}
		if r.Bounds != nil {
			a.Bounds = boundsAnswer(&s, *r.Bounds)
		}
		if r.GPU != nil && (r.BytesInFlight > 0 || r.Grid > 0) {
			a.Memory = r.memory(&a)
		}
		for _, of := range r.Sweeps {
			a.Sweeps = append(a.Sweeps, NewSweep(s.SM, s.Launch, of))
		}
		if r.Suggest {
			a.Suggest = suggest(s.SM, s.Launch, r.Blocks)
		}
		out[i] = a
	}
	return out
}

// Waste is what blocks take and don't use.
type Waste struct {
	// Per block: registers that rounding to units and the last, partly empty
	// warp cost. It and FreeRegisters are arch.Unknown where the launch's
	// registers are not known.
	Registers int
	// Per block, in bytes: the system's share, and rounding to units.
	ReservedBytes, RoundingBytes int
	// On the SM, with the resident blocks on it.
	FreeRegisters, FreeSharedBytes, FreeWarps int
}

// Waste computes what is allocated and not used.
func (a *Answer) Waste() Waste {
	w := Waste{
		Registers: arch.Unknown, FreeRegisters: arch.Unknown,
		ReservedBytes:   a.SM.SharedReservedBytes,
		FreeSharedBytes: a.SM.SharedBytes - a.Blocks*a.SharedBytesPerBlock,
		FreeWarps:       a.SM.WarpSlots - a.Warps,
	}
	w.RoundingBytes = a.SharedBytesPerBlock - w.ReservedBytes - a.Launch.SharedBytes
	if a.Launch.Registers > 0 {
		w.Registers = a.RegistersPerBlock - a.Launch.Registers*a.Launch.Threads
		w.FreeRegisters = a.SM.Registers - a.Blocks*a.RegistersPerBlock
	}
	return w
}

// registersPerBlock is what a block is given, arch.Unknown where the launch's
// registers are not known.
func (a *Answer) registersPerBlock() int {
	if a.Launch.Registers <= 0 {
		return arch.Unknown
	}
	return a.RegistersPerBlock
}

// BoundsAnswer is what launch bounds make of a subject.
type BoundsAnswer struct {
	Bounds
	arch.Cap
	// MostThreads is the most threads that a block can have where the bounds
	// have more: no launch uses them up. 0 where they have not.
	MostThreads int
	// Over is how many registers the launch uses above the cap; 0 when none
	// or when its registers are not known.
	Over int
	// With is the occupancy at the bounds' threads with the registers that the
	// cap leaves: the launch's own where they are fewer, the cap where they
	// are more or not known.
	With          arch.Occupancy
	WithRegisters int
	// Without is the occupancy at the bounds' threads with the launch's own
	// registers; nil when they are not known.
	Without *arch.Occupancy
}

func boundsAnswer(s *Subject, b Bounds) *BoundsAnswer {
	a := &BoundsAnswer{Bounds: b, Cap: s.SM.RegisterCap(b.Threads, b.MinBlocks)}
	if b.Threads > s.SM.ThreadsPerBlock {
		a.MostThreads = s.SM.ThreadsPerBlock
	}
	l := s.Launch
	l.Threads = b.Threads
	a.WithRegisters = a.Registers
	if l.Registers > 0 {
		without := s.SM.Occupancy(l)
		a.Without = &without
		a.Over = max(0, l.Registers-a.Registers)
		a.WithRegisters = min(l.Registers, a.Registers)
	}
	l.Registers = a.WithRegisters
	a.With = s.SM.Occupancy(l)
	return a
}

// Memory is what a launch means to a GPU's memory.
type Memory struct {
	GPU           *arch.GPU
	BytesInFlight int          // per thread, as asked; 0: not asked
	Flight        *arch.Flight // nil: not asked
	Waves         *arch.Waves  // nil: not asked
	// OtherArch says that the answer is for an architecture that the GPU is
	// not of; Flight and Waves are nil then.
	OtherArch bool
}

func (r *Request) memory(a *Answer) *Memory {
	m := &Memory{GPU: r.GPU, BytesInFlight: r.BytesInFlight}
	if !r.isOf(r.GPU, a.SM) {
		m.OtherArch = true
		return m
	}
	if r.BytesInFlight > 0 {
		f := r.GPU.Flight(a.Occupancy, a.Launch.Threads, r.BytesInFlight)
		m.Flight = &f
	}
	if r.Grid > 0 {
		w := r.GPU.Waves(a.Occupancy, r.Grid)
		m.Waves = &w
	}
	return m
}

// isOf tells whether a GPU is of an architecture, by whichever of its names.
func (r *Request) isOf(g *arch.GPU, sm *arch.SM) bool {
	table := r.Table
	if table == nil {
		table = arch.Builtin()
	}
	of, err := table.Lookup(g.Arch)
	return err == nil && of.Name == sm.Name
}
