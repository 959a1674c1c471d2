package calc

import (
	"slices"

	"github.com/occlint/occlint/arch"
)

// Sweep is the occupancy over one quantity of a launch, the others as they
// are.
type Sweep struct {
	Of     arch.Resource // Registers per thread, Shared bytes per block, or Warps: threads per block
	Now    int           // where the launch stands; 0 or arch.Unknown when it says nothing
	Points []Point       // ascending, without gaps
}

// Point is a range of values with one occupancy: all of From..To give the same
// blocks and warps.
type Point struct {
	From, To int
	arch.Occupancy
}

// NewSweep computes a sweep up to the most that a thread or block can have.
// Block sizes are whole numbers of warps, each a point of its own.
func NewSweep(sm *arch.SM, l arch.Launch, of arch.Resource) Sweep {
	s := Sweep{Of: of, Now: l.Of(of)}
	switch of {
	case arch.Registers:
		for at := 1; at <= sm.RegistersPerThread; at++ {
			s.add(at, at, sm.Occupancy(l.With(of, at)))
		}
	case arch.Shared:
		// Within one allocation unit nothing changes.
		unit, reserved := sm.SharedAllocationBytes, sm.SharedReservedBytes
		for at := 0; at <= sm.SharedBytesPerBlock; {
			to := min((at+reserved+unit-1)/unit*unit-reserved, sm.SharedBytesPerBlock)
			s.add(at, to, sm.Occupancy(l.With(of, to)))
			at = to + 1
		}
	case arch.Warps:
		for at := arch.WarpThreads; at <= sm.ThreadsPerBlock; at += arch.WarpThreads {
			s.Points = append(s.Points, Point{at - arch.WarpThreads + 1, at, sm.Occupancy(l.With(of, at))})
		}
	default:
	}
	return s
}

func (s *Sweep) add(from, to int, o arch.Occupancy) {
	if n := len(s.Points); n > 0 {
		last := &s.Points[n-1]
		if last.Blocks == o.Blocks && last.Limiters == o.Limiters {
			last.To = to
			last.Occupancy = o
			return
		}
	}
	s.Points = append(s.Points, Point{from, to, o})
}

// At is the point that a value lies in; nil outside the sweep.
func (s *Sweep) At(value int) *Point {
	i, found := slices.BinarySearchFunc(s.Points, value, func(p Point, value int) int {
		switch {
		case p.To < value:
			return -1
		case p.From > value:
			return 1
		}
		return 0
	})
	if !found {
		return nil
	}
	return &s.Points[i]
}

// Most is the end of the sweep.
func (s *Sweep) Most() int {
	if len(s.Points) == 0 {
		return 0
	}
	return s.Points[len(s.Points)-1].To
}

// Suggestion are block sizes for a launch's registers, shared memory and
// barriers.
type Suggestion struct {
	// Best are the block sizes with the most resident warps.
	Best     []BlockSize
	ByBlocks []BlocksRange // descending in blocks
	Asked    int           // the number of blocks asked for; 0: all
	// Nearest are the ranges with the next more and the next fewer blocks than
	// Asked, where no block size has exactly so many.
	Nearest []BlocksRange
}

// BlockSize is a block size and what fits of it.
type BlockSize struct {
	Threads int
	arch.Occupancy
}

// BlocksRange is the block sizes that have one number of blocks resident.
type BlocksRange struct {
	Blocks            int
	Smallest, Largest BlockSize
}

func suggest(sm *arch.SM, l arch.Launch, asked int) *Suggestion {
	s := &Suggestion{Asked: asked}
	most := 0
	for threads := arch.WarpThreads; threads <= sm.ThreadsPerBlock; threads += arch.WarpThreads {
		b := BlockSize{threads, sm.Occupancy(l.With(arch.Warps, threads))}
		if b.Blocks == 0 {
			continue
		}
		if b.Warps > most {
			most, s.Best = b.Warps, nil
		}
		if b.Warps == most {
			s.Best = append(s.Best, b)
		}
		// Blocks never rise with the block size, so one number of them is one
		// range of sizes.
		n := len(s.ByBlocks)
		if n > 0 && s.ByBlocks[n-1].Blocks == b.Blocks {
			s.ByBlocks[n-1].Largest = b
			continue
		}
		s.ByBlocks = append(s.ByBlocks, BlocksRange{b.Blocks, b, b})
	}
	if asked > 0 {
		s.keep(asked)
	}
	return s
}

// keep leaves the range of exactly so many blocks, or notes the nearest.
func (s *Suggestion) keep(blocks int) {
	more, fewer := -1, -1 // descending in blocks
	for i, r := range s.ByBlocks {
		switch {
		case r.Blocks == blocks:
			s.ByBlocks = []BlocksRange{r}
			return
		case r.Blocks > blocks:
			more = i
		case fewer < 0:
			fewer = i
		}
	}
	for _, i := range []int{more, fewer} {
		if i >= 0 {
			s.Nearest = append(s.Nearest, s.ByBlocks[i])
		}
	}
	s.ByBlocks = nil
}
