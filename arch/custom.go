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

// CustomError is what is wrong with one custom entry.
type CustomError struct {
	Kind string // "architecture" or "GPU"
	Name string // the entry's, as given
	Err  error
}

func (e *CustomError) Error() string { return fmt.Sprintf("custom %s %q: %v", e.Kind, e.Name, e.Err) }

// Unwrap returns what is wrong.
func (e *CustomError) Unwrap() error { return e.Err }

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

// With is the table with architectures added. One can be like another of
// them, whichever is named first. The table itself stays as it is. All that
// is wrong is in one error that joins a *CustomError for each bad entry; the
// table then has those that are right.
func (t *Table) With(custom ...Custom) (*Table, error) {
	out := t.clone()
	names, likes := make([]string, len(custom)), make([]string, len(custom))
	for i, c := range custom {
		names[i], likes[i] = t.base(c.Name), t.base(c.Like)
	}
	order, circular := dependencies(names, likes)
	var errs []error
	for _, i := range order {
		s, err := out.build(custom[i])
		if err != nil {
			errs = append(errs, &CustomError{"architecture", custom[i].Name, err})
			continue
		}
		out.add(s)
	}
	for _, i := range circular {
		errs = append(errs, &CustomError{"architecture", custom[i].Name, circle(custom[i].Like)})
	}
	return out, errors.Join(errs...)
}

func circle(like string) error {
	return fmt.Errorf("like: %q is, by way of its own like, like this entry again; one of them needs a known one to start from", like)
}

// base is the name of the entry that a name means, or its plain form.
func (t *Table) base(name string) string {
	if s, err := t.Lookup(name); err == nil {
		return s.Name
	}
	return Base(name)
}

// dependencies orders entries so that each comes after those that it is like,
// and otherwise as they are. One that is like its own name waits for nothing:
// it changes what is known by that name. circular are those that would wait
// for ever.
func dependencies(names, likes []string) (order, circular []int) {
	named := map[string][]int{}
	for i, name := range names {
		named[name] = append(named[name], i)
	}
	done := make([]bool, len(names))
	waits := func(i int) bool {
		return likes[i] != names[i] && slices.ContainsFunc(named[likes[i]], func(other int) bool { return !done[other] })
	}
	for {
		before := len(order)
		for i := range names {
			if !done[i] && !waits(i) {
				done[i] = true
				order = append(order, i)
			}
		}
		if len(order) == before {
			break
		}
	}
	for i := range names {
		if !done[i] {
			circular = append(circular, i)
		}
	}
	return order, circular
}

func (t *Table) clone() *Table {
	return &Table{sms: slices.Clone(t.sms), byName: maps.Clone(t.byName), gpus: slices.Clone(t.gpus)}
}

func (t *Table) build(c Custom) (*SM, error) {
	if Base(c.Name) != c.Name || len(c.Name) < len("sm_0") || c.Name[:3] != "sm_" {
		return nil, errors.New(`the name must be as the compiler prints it, without a suffix: "sm_130"`)
	}
	like, err := t.Lookup(c.Like)
	switch {
	case err != nil && Base(c.Like) == c.Name:
		return nil, fmt.Errorf("like: %q is this entry itself, and nothing else is known by that name; name a known architecture", c.Like)
	case err != nil:
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
		if least, most := n.bounds(); *f < least || *f > most {
			return nil, fmt.Errorf("%s is %d, want %d to %d; no SM comes near the ends", n, *f, least, most)
		}
	}
	s.follow(like, c.Numbers)
	return &s, s.check()
}

// bounds are far from what any SM has, and near enough that a sweep over all
// values of any of them takes no time.
func (n Number) bounds() (least, most int) {
	switch n {
	case WarpsPerSM, BlocksPerSM, BarriersPerBlock:
		return 1, 1 << 10
	case BarriersPerSM:
		return 0, 1 << 12
	case ThreadsPerBlock:
		return WarpThreads, 1 << 13
	case RegistersPerThread:
		return 1, 1 << 10
	case RegisterUnit:
		return 1, 1 << 14
	case Partitions:
		return 1, 1 << 6
	case RegistersPerSM, RegistersPerBlock:
		return 1, 1 << 22
	case SharedReserved:
		return 0, 1 << 20
	case SharedUnit:
		return 1, 1 << 16
	case SharedPerSM, SharedPerBlock, StaticSharedPerBlock:
		return 1, 1 << 22
	}
	return 1, 1 << 10
}
