package arch

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Number names one number of an architecture, as a config does.
type Number string

// The numbers. Sizes are in bytes.
const (
	WarpsPerSM           Number = "warps_per_sm"
	BlocksPerSM          Number = "blocks_per_sm"
	ThreadsPerBlock      Number = "threads_per_block"
	RegistersPerSM       Number = "registers_per_sm"
	RegistersPerBlock    Number = "registers_per_block"
	RegistersPerThread   Number = "registers_per_thread"
	RegisterUnit         Number = "register_unit"
	Partitions           Number = "partitions"
	SharedPerSM          Number = "shared_per_sm"
	SharedPerBlock       Number = "shared_per_block"
	StaticSharedPerBlock Number = "static_shared_per_block"
	SharedReserved       Number = "shared_reserved"
	SharedUnit           Number = "shared_unit"
	BarriersPerSM        Number = "barriers_per_sm" // 0: no limit known
	BarriersPerBlock     Number = "barriers_per_block"
)

// Numbers lists every number there is.
func Numbers() []Number {
	return []Number{
		WarpsPerSM, BlocksPerSM, ThreadsPerBlock, RegistersPerSM, RegistersPerBlock, RegistersPerThread, RegisterUnit,
		Partitions, SharedPerSM, SharedPerBlock, StaticSharedPerBlock, SharedReserved, SharedUnit, BarriersPerSM, BarriersPerBlock,
	}
}

// Custom is an architecture that a user adds, by its difference from a known
// one.
type Custom struct {
	Name    string // "sm_130"; a known name replaces that entry
	Like    string // gives every number that is not in Numbers
	Numbers map[Number]int
}

// field is where an SM keeps a number; nil for a name that is none.
func (s *SM) field(n Number) *int {
	switch n {
	case WarpsPerSM:
		return &s.WarpSlots
	case BlocksPerSM:
		return &s.BlockSlots
	case ThreadsPerBlock:
		return &s.ThreadsPerBlock
	case RegistersPerSM:
		return &s.Registers
	case RegistersPerBlock:
		return &s.RegistersPerBlock
	case RegistersPerThread:
		return &s.RegistersPerThread
	case RegisterUnit:
		return &s.RegisterAllocation
	case Partitions:
		return &s.Partitions
	case SharedPerSM:
		return &s.SharedBytes
	case SharedPerBlock:
		return &s.SharedBytesPerBlock
	case StaticSharedPerBlock:
		return &s.StaticSharedBytesPerBlock
	case SharedReserved:
		return &s.SharedReservedBytes
	case SharedUnit:
		return &s.SharedAllocationBytes
	case BarriersPerSM:
		return &s.Barriers
	case BarriersPerBlock:
		return &s.BarriersPerBlock
	}
	return nil
}

// With is the table with architectures added, in order: a later one can be
// like an earlier one. The table itself stays as it is. All that is wrong is
// in one error.
func (t *Table) With(custom ...Custom) (*Table, error) {
	out := t.clone()
	var errs []error
	for _, c := range custom {
		s, err := out.build(c)
		if err != nil {
			errs = append(errs, fmt.Errorf("custom architecture %q: %w", c.Name, err))
			continue
		}
		out.add(s)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

func (t *Table) clone() *Table {
	return &Table{sms: slices.Clone(t.sms), byName: maps.Clone(t.byName), gpus: slices.Clone(t.gpus)}
}

func (t *Table) build(c Custom) (*SM, error) {
	if Base(c.Name) != c.Name || len(c.Name) < len("sm_0") || c.Name[:3] != "sm_" {
		return nil, errors.New(`the name must be as the compiler prints it, without a suffix: "sm_130"`)
	}
	like, err := t.Lookup(c.Like)
	if err != nil {
		return nil, fmt.Errorf("like: %w", err)
	}
	s := *like
	s.Name = c.Name
	for _, n := range slices.Sorted(maps.Keys(c.Numbers)) {
		f := s.field(n)
		if f == nil {
			return nil, fmt.Errorf("%q is no number of an architecture", n)
		}
		*f = c.Numbers[n]
	}
	s.follow(like, c.Numbers)
	return &s, s.check()
}

// follow changes what hangs on a changed number and is not set itself: where
// a block can have all of the SM's shared memory but the reserved share, it
// still can, and a block never has more registers than the SM.
func (s *SM) follow(like *SM, set map[Number]int) {
	if _, ok := set[SharedPerBlock]; !ok {
		if like.SharedBytesPerBlock == like.SharedBytes-like.SharedReservedBytes {
			s.SharedBytesPerBlock = s.SharedBytes - s.SharedReservedBytes
		}
		s.SharedBytesPerBlock = min(s.SharedBytesPerBlock, s.SharedBytes)
	}
	if _, ok := set[RegistersPerBlock]; !ok {
		s.RegistersPerBlock = min(s.RegistersPerBlock, s.Registers)
	}
}

// check refuses numbers that the arithmetic would divide by zero with, or that
// contradict each other.
func (s *SM) check() error {
	for _, n := range Numbers() {
		v := *s.field(n)
		if least, most := n.bounds(); v < least || v > most {
			return fmt.Errorf("%s is %d, want %d to %d", n, v, least, most)
		}
	}
	switch {
	case s.RegistersPerBlock > s.Registers:
		return fmt.Errorf("%s is %d, more than %s, %d", RegistersPerBlock, s.RegistersPerBlock, RegistersPerSM, s.Registers)
	case s.SharedBytesPerBlock > s.SharedBytes:
		return fmt.Errorf("%s is %d, more than %s, %d", SharedPerBlock, s.SharedBytesPerBlock, SharedPerSM, s.SharedBytes)
	case s.Registers/s.Partitions < s.RegisterAllocation:
		return fmt.Errorf("a partition has %d registers, fewer than %s, %d", s.Registers/s.Partitions, RegisterUnit, s.RegisterAllocation)
	}
	return nil
}

// bounds are far from what any SM has. They keep the divisions' operands
// within 32 bits and off zero.
func (n Number) bounds() (least, most int) {
	switch n {
	case SharedReserved, BarriersPerSM:
		return 0, 1 << 30
	case RegistersPerThread, RegisterUnit:
		return 1, 1 << 16
	case Partitions:
		return 1, 1 << 10
	default:
		return 1, 1 << 30
	}
}

// CustomGPU is a GPU that a user adds, alone or by its difference from a known
// one. A zero number is taken from Like.
type CustomGPU struct {
	Name                 string // a known name replaces that entry
	Like                 string // may be empty
	Arch                 string
	SMs                  int
	BandwidthBytesPerSec float64
	ClockHz              float64
	LatencyCycles        int
}

// WithGPUs is the table with GPUs added, in order: a later one can be like an
// earlier one. All that is wrong is in one error.
func (t *Table) WithGPUs(custom ...CustomGPU) (*Table, error) {
	out := t.clone()
	var errs []error
	for _, c := range custom {
		g, err := out.buildGPU(c)
		if err != nil {
			errs = append(errs, fmt.Errorf("custom GPU %q: %w", c.Name, err))
			continue
		}
		out.gpus = slices.DeleteFunc(out.gpus, func(old *GPU) bool { return plain(old.Name) == plain(g.Name) })
		out.gpus = append(out.gpus, g)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return out, nil
}

func (t *Table) buildGPU(c CustomGPU) (*GPU, error) {
	if plain(c.Name) == "" {
		return nil, errors.New("a GPU needs a name with letters or digits")
	}
	g := &GPU{Arch: c.Arch, SMs: c.SMs, BandwidthBytesPerSec: c.BandwidthBytesPerSec, ClockHz: c.ClockHz, LatencyCycles: c.LatencyCycles}
	if c.Like != "" {
		like, err := t.GPU(c.Like)
		if err != nil {
			return nil, fmt.Errorf("like: %w", err)
		}
		g.inherit(like)
	}
	g.Name = c.Name
	if c.LatencyCycles > 0 {
		g.LatencyFrom = "given by the user"
	}
	if _, err := t.Lookup(g.Arch); err != nil {
		return nil, err
	}
	return g, g.check()
}

func (g *GPU) inherit(like *GPU) {
	if g.Arch == "" {
		g.Arch = like.Arch
	}
	if g.SMs == 0 {
		g.SMs = like.SMs
	}
	if g.BandwidthBytesPerSec == 0 {
		g.BandwidthBytesPerSec = like.BandwidthBytesPerSec
	}
	if g.ClockHz == 0 {
		g.ClockHz = like.ClockHz
	}
	if g.LatencyCycles == 0 {
		g.LatencyCycles = like.LatencyCycles
	}
	g.LatencyFrom = "as " + like.Name
}
