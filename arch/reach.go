package arch

// RegistersFor is the most registers per thread with which the launch, as it
// is otherwise, has at least so many blocks resident; l.Registers is not
// looked at. It is false where no number of registers does it, be it that
// another resource stops the blocks first.
func (s *SM) RegistersFor(l Launch, blocks int) (int, bool) {
	if !s.othersAllow(l, Registers, blocks) {
		return 0, false
	}
	return s.mostRegisters(l.Threads, blocks)
}

// SharedFor is the most shared memory per block, in bytes and without the
// reserved share, with which the launch, as it is otherwise, has at least so
// many blocks resident; l.SharedBytes is not looked at. It is false where no
// amount does it, be it that another resource stops the blocks first.
func (s *SM) SharedFor(l Launch, blocks int) (int, bool) {
	if !s.othersAllow(l, Shared, blocks) {
		return 0, false
	}
	return s.mostShared(blocks)
}

// BarriersFor is the most named barriers per block with which the launch, as
// it is otherwise, has at least so many blocks resident; l.Barriers is not
// looked at. It is false where no number does it.
func (s *SM) BarriersFor(l Launch, blocks int) (int, bool) {
	if !s.othersAllow(l, Barriers, blocks) {
		return 0, false
	}
	return s.mostBarriers(blocks)
}

// othersAllow tells whether every resource but r allows so many blocks.
func (s *SM) othersAllow(l Launch, r Resource, blocks int) bool {
	if blocks <= 0 {
		return false
	}
	for other, limit := range s.Occupancy(l).Limits {
		if Resource(other) != r && limit != Unknown && limit < blocks {
			return false
		}
	}
	return true
}

// mostRegisters turns registerLimit round.
func (s *SM) mostRegisters(threads, blocks int) (int, bool) {
	warpsPerBlock := WarpsPerBlock(threads)
	if warpsPerBlock == 0 || blocks > s.WarpSlots || warpsPerBlock > s.WarpSlots {
		return 0, false
	}
	perPartition := ceil(blocks*warpsPerBlock, s.Partitions)
	perWarp := min(s.Registers/s.Partitions/perPartition,
		s.RegistersPerBlock/roundUp(warpsPerBlock, warpGroup))
	registers := min(perWarp/s.RegisterAllocation*s.RegisterAllocation/WarpThreads, s.RegistersPerThread)
	return registers, registers > 0
}

func (s *SM) mostShared(blocks int) (int, bool) {
	allocated := roundDown(s.SharedBytes/blocks, s.SharedAllocationBytes)
	asked := min(allocated-s.SharedReservedBytes, s.SharedBytesPerBlock)
	return asked, asked >= 0
}

func (s *SM) mostBarriers(blocks int) (int, bool) {
	named := s.BarriersPerBlock
	if s.Barriers > 0 {
		named = min(named, s.Barriers/blocks)
	}
	return named, true // a block without barriers is never stopped by them
}

func ceil(a, b int) int { return (a + b - 1) / b }

// Change is what one resource would have to become.
type Change struct {
	Resource Resource
	// Now and Need are per thread for registers, threads per block for warps,
	// bytes per block for shared memory, barriers per block for barriers. Need
	// is the most that would do.
	Now, Need int
	// Possible is false where nothing of this resource would do: more blocks
	// than the SM has slots for, say. Need means nothing then.
	Possible bool
}

// Reach lists what must change for so many blocks to be resident: one Change
// for each resource that allows fewer, each computed with the others as they
// are. All of them together are needed. Empty when the launch has the blocks
// already. ok is false when some change is not possible.
func (s *SM) Reach(l Launch, blocks int) (changes []Change, ok bool) {
	ok = true
	for r, limit := range s.Occupancy(l).Limits {
		if limit == Unknown || limit >= blocks {
			continue
		}
		c := s.need(l, Resource(r), blocks)
		ok = ok && c.Possible
		changes = append(changes, c)
	}
	return changes, ok
}

func (s *SM) need(l Launch, r Resource, blocks int) Change {
	c := Change{Resource: r, Now: l.Of(r)}
	switch r {
	case Warps:
		c.Need = min(s.ThreadsPerBlock, s.WarpSlots/blocks*WarpThreads)
		c.Possible = c.Need > 0
	case Registers:
		c.Need, c.Possible = s.mostRegisters(l.Threads, blocks)
	case Shared:
		c.Need, c.Possible = s.mostShared(blocks)
	case Barriers:
		c.Need, c.Possible = s.mostBarriers(blocks)
	case Blocks: // nothing makes more slots
	}
	return c
}

// Of is what the launch asks of one resource: registers per thread, bytes or
// barriers per block, threads per block for Warps, and 0 for Blocks, of which
// a launch asks nothing.
func (l Launch) Of(r Resource) int {
	switch r {
	case Warps:
		return l.Threads
	case Registers:
		return l.Registers
	case Shared:
		return l.SharedBytes
	case Barriers:
		return l.Barriers
	case Blocks:
	}
	return 0
}

// With is the launch with another value for one resource; Blocks changes
// nothing.
func (l Launch) With(r Resource, value int) Launch {
	switch r {
	case Warps:
		l.Threads = value
	case Registers:
		l.Registers = value
	case Shared:
		l.SharedBytes = value
	case Barriers:
		l.Barriers = value
	case Blocks:
	}
	return l
}
