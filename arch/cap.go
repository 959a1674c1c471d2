package arch

// Drop says why the compiler drops the minimum of blocks that launch bounds
// declare.
type Drop uint8

// The reasons. The first two are the two wordings of the compiler's warning
// that the minimum is ignored.
const (
	NotDropped       Drop = iota
	BlocksAboveSlots      // more blocks than the SM has slots for
	WarpsAboveSlots       // minimum × warps per block is more than the SM has warp slots
	NoThreads             // a minimum means nothing without a maximum of threads
)

// String says the reason in a few words, without numbers.
func (d Drop) String() string {
	switch d {
	case NotDropped:
		return ""
	case BlocksAboveSlots:
		return "more blocks than the SM has slots for"
	case WarpsAboveSlots:
		return "more warps than the SM has slots for"
	case NoThreads:
		return "no maximum of threads is declared"
	}
	return "unknown"
}

// Cap is what launch bounds make of the registers.
type Cap struct {
	Registers int  // the most per thread
	Honoured  bool // false: the compiler drops the minimum of blocks
	Reason    Drop // why it is dropped
}

// RegisterCap is the most registers per thread that the compiler gives a
// kernel with __launch_bounds__(threads, minBlocks); minBlocks 0 declares no
// minimum. A minimum that the SM can never reach is dropped whole, not
// lowered: the maximum of threads alone caps the registers then.
//
// threads 0 stands for bounds without a maximum: then nothing caps the
// registers but the architecture.
func (s *SM) RegisterCap(threads, minBlocks int) Cap {
	reason := s.drops(threads, minBlocks)
	c := Cap{Honoured: reason == NotDropped, Reason: reason}
	if threads <= 0 {
		c.Registers = s.RegistersPerThread
		return c
	}
	warps, blocks := WarpsPerBlock(threads), 1
	if c.Honoured && minBlocks > 1 {
		blocks = minBlocks
	}
	// The compiler deals the warps of all blocks out to four equal parts of
	// the registers, on architectures with two partitions as well.
	perSM := roundDown(s.Registers/(warpGroup*WarpThreads)/groups(blocks*warps), registerStep)
	perBlock := roundDown(s.RegistersPerBlock/(warpGroup*WarpThreads)/groups(warps), registerStep)
	c.Registers = min(s.RegistersPerThread, perSM, perBlock)
	return c
}

// registerStep is the step in which the compiler lowers a cap: a warp's
// allocation unit of 256 registers is 8 per thread.
const registerStep = 8

func (s *SM) drops(threads, minBlocks int) Drop {
	switch {
	case minBlocks <= 0:
		return NotDropped
	case threads <= 0:
		return NoThreads
	case minBlocks > s.BlockSlots:
		return BlocksAboveSlots
	case minBlocks > s.WarpSlots/WarpsPerBlock(threads):
		return WarpsAboveSlots
	}
	return NotDropped
}

func groups(warps int) int { return (warps + warpGroup - 1) / warpGroup }

func roundDown(n, unit int) int { return n / unit * unit }
