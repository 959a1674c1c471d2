package arch

// Step is where a launch stands on the staircase of one resource: how far it
// is down to the next step that gains a block, and how far up it may go
// without losing one.
type Step struct {
	Resource Resource
	Now      int // as Launch.Of
	Blocks   int // resident now

	// Fewer is how much less gains at least one block, with GainTo blocks
	// then; 0 where less of this resource alone gains nothing.
	Fewer  int
	GainTo int

	// Free is how much more costs nothing. It ends at the most that a thread
	// or block can have.
	Free int
	// LoseTo is the number of blocks with one more than that; Blocks when
	// Free ends at the most there can be.
	LoseTo int
}

// Step finds the nearest steps of one resource: Registers, Shared or Barriers.
// Others have no staircase that only falls, and give a Step without any way to
// go. A launch that fits nowhere has steps too: what is too much is Fewer.
func (s *SM) Step(l Launch, r Resource) Step {
	now := l.Of(r)
	if r == Registers && now <= 0 || r == Barriers && now < 0 {
		now = Unknown
	}
	step := Step{Resource: r, Now: now, Blocks: s.Occupancy(l).Blocks}
	step.GainTo, step.LoseTo = step.Blocks, step.Blocks
	if now == Unknown {
		return step
	}
	if need, ok := s.mostFor(l, r, step.Blocks+1); ok && need < now {
		step.Fewer = now - need
		step.GainTo = s.Occupancy(l.With(r, need)).Blocks
	}
	if most, ok := s.mostFor(l, r, step.Blocks); ok && most >= now {
		step.Free = most - now
		step.LoseTo = s.Occupancy(l.With(r, most+1)).Blocks
		if most == s.most(r) {
			step.LoseTo = step.Blocks
		}
	}
	return step
}

// Steps finds the nearest steps of registers, shared memory and barriers, in
// this order; barriers only where the SM has a pool of them and the launch
// says how many it names.
func (s *SM) Steps(l Launch) []Step {
	steps := make([]Step, 0, resources)
	if l.Registers > 0 {
		steps = append(steps, s.Step(l, Registers))
	}
	steps = append(steps, s.Step(l, Shared))
	if s.Barriers > 0 && l.Barriers > 0 {
		steps = append(steps, s.Step(l, Barriers))
	}
	return steps
}

func (s *SM) mostFor(l Launch, r Resource, blocks int) (int, bool) {
	switch r {
	case Registers:
		return s.RegistersFor(l, blocks)
	case Shared:
		return s.SharedFor(l, blocks)
	case Barriers:
		return s.BarriersFor(l, blocks)
	default:
		return 0, false
	}
}

// most is what one thread or block can have at all.
func (s *SM) most(r Resource) int {
	switch r {
	case Registers:
		return s.RegistersPerThread
	case Shared:
		return s.SharedBytesPerBlock
	case Barriers:
		return s.BarriersPerBlock
	case Warps:
		return s.ThreadsPerBlock
	case Blocks:
	}
	return s.BlockSlots
}
