package arch

import "fmt"

// follow changes what hangs on a changed number and is not set itself: where
// a block can have all of the SM's shared memory but the reserved share, it
// still can, and a block never has more of anything than the SM.
func (s *SM) follow(like *SM, set map[Number]int) {
	lower := func(n Number, most int) {
		if _, ok := set[n]; !ok {
			f := s.field(n)
			*f = max(min(*f, most), 0) // what is left of nothing, check refuses
		}
	}
	if _, ok := set[SharedPerBlock]; !ok && like.SharedBytesPerBlock == like.mostSharedPerBlock() {
		s.SharedBytesPerBlock = s.mostSharedPerBlock()
	}
	lower(SharedPerBlock, s.mostSharedPerBlock())
	lower(StaticSharedPerBlock, s.SharedBytesPerBlock)
	lower(RegistersPerBlock, s.Registers)
	lower(ThreadsPerBlock, s.WarpSlots*WarpThreads)
	if s.Barriers > 0 {
		lower(BarriersPerBlock, s.Barriers)
	}
}

// mostSharedPerBlock is what one block can be given at the very most: the SM's
// shared memory in whole units, less the system's share.
func (s *SM) mostSharedPerBlock() int {
	return roundDown(s.SharedBytes, s.SharedAllocationBytes) - s.SharedReservedBytes
}

// check refuses numbers that contradict each other: those with which a launch
// would be refused although it asks for no more than a block can have.
func (s *SM) check() error {
	above := func(n Number, of string, most int) error {
		if v := *s.field(n); v > most {
			return fmt.Errorf("%s is %d, more than %s, %d", n, v, of, most)
		}
		return nil
	}
	partition := s.Registers / s.Partitions
	warp := roundUp(WarpThreads, s.RegisterAllocation)
	switch {
	case s.ThreadsPerBlock%WarpThreads != 0:
		return fmt.Errorf("%s is %d, want a multiple of %d, the threads of a warp", ThreadsPerBlock, s.ThreadsPerBlock, WarpThreads)
	case s.mostSharedPerBlock() < 1:
		return fmt.Errorf("%s (%d), in units of %s (%d) and without %s (%d), leaves a block no shared memory",
			SharedPerSM, s.SharedBytes, SharedUnit, s.SharedAllocationBytes, SharedReserved, s.SharedReservedBytes)
	case partition < warp:
		return fmt.Errorf("a partition has %d registers (%s ÷ %s), fewer than a warp takes at least, %d (in units of %s, %d)",
			partition, RegistersPerSM, Partitions, warp, RegisterUnit, s.RegisterAllocation)
	}
	blockShared := fmt.Sprintf("%s, in units of %s and without %s", SharedPerSM, SharedUnit, SharedReserved)
	if s.SharedReservedBytes == 0 && s.SharedBytes%s.SharedAllocationBytes == 0 {
		blockShared = string(SharedPerSM)
	}
	for _, c := range []struct {
		n    Number
		of   string
		most int
	}{
		{RegistersPerBlock, string(RegistersPerSM), s.Registers},
		{SharedPerBlock, blockShared, s.mostSharedPerBlock()},
		{StaticSharedPerBlock, string(SharedPerBlock), s.SharedBytesPerBlock},
		{ThreadsPerBlock, "the threads of " + string(WarpsPerSM), s.WarpSlots * WarpThreads},
	} {
		if err := above(c.n, c.of, c.most); err != nil {
			return err
		}
	}
	if s.Barriers > 0 {
		return above(BarriersPerBlock, string(BarriersPerSM), s.Barriers)
	}
	return nil
}
