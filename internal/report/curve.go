package report

import (
	"math"

	"github.com/occlint/occlint/arch"
)

// Curve is the occupancy of one launch over one of its quantities, the others
// as they are.
type Curve struct {
	Of    arch.Resource // Registers per thread, Shared bytes per block, or Warps: threads per block
	Most  int           // the end of the axis
	Steps []CurveStep   // ascending; each holds up to the next
	Now   int           // where the launch stands
	// Target is the percentage that is declared, by a minimum of blocks or of
	// occupancy; 0 for none. With a minimum of blocks it holds at the launch's
	// block size.
	Target float64
}

// CurveStep is where the number of resident warps changes.
type CurveStep struct {
	From    int // in the curve's quantity
	Blocks  int
	Percent float64
}

// Curves are the three curves of a launch: over registers, shared memory and
// threads per block.
func Curves(sm *arch.SM, l arch.Launch, target float64) []Curve {
	return []Curve{
		curve(sm, l, arch.Registers, 1, sm.RegistersPerThread, target, func(at int) int { return at + 1 }),
		curve(sm, l, arch.Shared, 0, sm.SharedBytesPerBlock, target, func(at int) int {
			// The next amount that takes one more unit, the system's share included.
			unit := sm.SharedAllocationBytes
			return (at+sm.SharedReservedBytes+unit-1)/unit*unit - sm.SharedReservedBytes + 1
		}),
		curve(sm, l, arch.Warps, arch.WarpThreads, sm.ThreadsPerBlock, target, func(at int) int { return at + arch.WarpThreads }),
	}
}

func curve(sm *arch.SM, l arch.Launch, of arch.Resource, from, most int, target float64, next func(int) int) Curve {
	c := Curve{Of: of, Most: most, Now: l.Of(of), Target: target}
	for at := from; at <= most; at = next(at) {
		o := sm.Occupancy(l.With(of, at))
		if n := len(c.Steps); n == 0 || c.Steps[n-1].Percent != o.Percent() || of == arch.Warps {
			c.Steps = append(c.Steps, CurveStep{at, o.Blocks, o.Percent()})
		}
	}
	return c
}

// At is the percentage at a value of the curve's quantity.
func (c *Curve) At(value int) float64 {
	percent := 0.0
	for _, s := range c.Steps {
		// Threads between two warps take a whole warp: a point of that curve
		// stands for what lies before it.
		if c.Of == arch.Warps {
			if s.From >= value {
				return s.Percent
			}
		} else if s.From > value {
			break
		}
		percent = s.Percent
	}
	return percent
}

// axis names a curve's quantity and its ticks.
func (c *Curve) axis() (title string, ticks []int, label func(int) string) {
	switch c.Of {
	case arch.Registers:
		return "registers per thread", ticksUpTo(c.Most, 32), itoa
	case arch.Shared:
		return "shared memory per block", ticksUpTo(c.Most, tickKiB(c.Most)<<10), func(n int) string { return itoa(n>>10) + " KiB" }
	}
	return "threads per block", ticksUpTo(c.Most, 256), itoa
}

func ticksUpTo(most, step int) []int {
	var list []int
	for at := 0; at <= most; at += step {
		list = append(list, at)
	}
	return list
}

// tickKiB spaces about five ticks over an axis of so many bytes.
func tickKiB(most int) int {
	return max(1, int(math.Pow(2, math.Round(math.Log2(float64(most>>10)/5)))))
}
