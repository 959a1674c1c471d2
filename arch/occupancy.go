package arch

// Occupancy is what fits on one SM.
type Occupancy struct {
	Blocks, Warps int // resident on one SM
	WarpSlots     int
	Limits        [resources]int // blocks that each resource allows; Unknown where it does not apply
	Limiters      Resources      // every resource whose limit is Blocks

	WarpsPerBlock       int
	RegistersPerBlock   int // as allocated
	SharedBytesPerBlock int // as allocated, the reserved share included
}

// Percent is the resident share of the SM's warp slots, 0 to 100.
func (o Occupancy) Percent() float64 {
	if o.WarpSlots <= 0 {
		return 0
	}
	return 100 * float64(o.Warps) / float64(o.WarpSlots)
}

// Occupancy computes what fits of a launch. A launch that asks for more than
// one block can have gets 0 blocks, with the resource that refuses it as the
// limiter; so does one without threads. It allocates nothing.
func (s *SM) Occupancy(l Launch) Occupancy {
	o := Occupancy{WarpSlots: s.WarpSlots, WarpsPerBlock: WarpsPerBlock(l.Threads)}
	perWarp := s.registersPerWarp(l.Registers)
	o.RegistersPerBlock = perWarp * o.WarpsPerBlock
	o.SharedBytesPerBlock = s.sharedPerBlock(l.SharedBytes)

	o.Limits[Warps] = s.warpLimit(l.Threads, o.WarpsPerBlock)
	o.Limits[Blocks] = s.BlockSlots
	o.Limits[Registers] = s.registerLimit(l.Registers, perWarp, o.WarpsPerBlock)
	o.Limits[Shared] = s.sharedLimit(l.SharedBytes, o.SharedBytesPerBlock)
	o.Limits[Barriers] = s.barrierLimit(l.Barriers)

	blocks := s.BlockSlots
	for _, limit := range o.Limits {
		if limit != Unknown && limit < blocks {
			blocks = limit
		}
	}
	for r, limit := range o.Limits {
		if limit == blocks {
			o.Limiters |= 1 << r
		}
	}
	o.Blocks = blocks
	o.Warps = blocks * o.WarpsPerBlock
	return o
}

func (s *SM) warpLimit(threads, warpsPerBlock int) int {
	if threads <= 0 || threads > s.ThreadsPerBlock {
		return 0
	}
	return quo(s.WarpSlots, warpsPerBlock)
}

// registersPerWarp rounds a warp's registers up to the allocation unit.
func (s *SM) registersPerWarp(perThread int) int {
	if perThread <= 0 {
		return 0
	}
	return roundUp(perThread*WarpThreads, s.RegisterAllocation)
}

// registerLimit fills each partition with whole warps, since a warp's
// registers can't lie in two of them. That loses warps wherever the file
// holds a number of them that the partitions don't divide: 40 registers leave
// room for 51 warps on a file of 65,536, and for 48 in four parts.
func (s *SM) registerLimit(perThread, perWarp, warpsPerBlock int) int {
	switch {
	case perThread <= 0 || warpsPerBlock == 0:
		return Unknown
	case perThread > s.RegistersPerThread:
		return 0
	case roundUp(warpsPerBlock, warpGroup) > quo(s.RegistersPerBlock, perWarp):
		return 0
	}
	warps := quo(s.Registers, s.Partitions*perWarp) * s.Partitions
	return quo(warps, warpsPerBlock)
}

// warpGroup is what a block's warps are rounded up to when its registers are
// held against the limit per block. It is 4 even where the register file has
// two partitions (sm_60); see docs/occupancy.md for how that was checked.
const warpGroup = 4

// sharedPerBlock rounds a block's shared memory, with the system's share, up
// to the allocation unit.
func (s *SM) sharedPerBlock(asked int) int {
	return roundUp(max(asked, 0)+s.SharedReservedBytes, s.SharedAllocationBytes)
}

func (s *SM) sharedLimit(asked, allocated int) int {
	switch {
	case asked > s.SharedBytesPerBlock:
		return 0
	case allocated <= 0:
		return Unknown
	}
	return quo(s.SharedBytes, allocated)
}

func (s *SM) barrierLimit(named int) int {
	switch {
	case named <= 0:
		return Unknown
	case named > s.BarriersPerBlock:
		return 0
	case s.Barriers == 0:
		return Unknown
	}
	return quo(s.Barriers, named)
}

// quo divides non-negative numbers that fit 32 bits, which is several times
// as fast as a 64-bit division on the processors that CI machines have.
func quo(a, b int) int { return int(uint32(a) / uint32(b)) }

func roundUp(n, unit int) int {
	if unit&(unit-1) == 0 {
		return (n + unit - 1) &^ (unit - 1)
	}
	return (n + unit - 1) / unit * unit
}
