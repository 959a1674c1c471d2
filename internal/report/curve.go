package report

import (
	"math"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
)

// Curve is a sweep to be drawn, with what is declared.
type Curve struct {
	calc.Sweep
	// Target is the percentage that is declared, by a minimum of blocks or of
	// occupancy; 0 for none. With a minimum of blocks it holds at the launch's
	// block size.
	Target float64
}

// Curves are the three curves of a launch: over registers, shared memory and
// threads per block.
func Curves(sm *arch.SM, l arch.Launch, target float64) []Curve {
	var list []Curve
	for _, of := range []arch.Resource{arch.Registers, arch.Shared, arch.Warps} {
		list = append(list, Curve{calc.NewSweep(sm, l, of), target})
	}
	return list
}

// here is the percentage where the launch stands; false where it does not say.
func (c *Curve) here() (float64, bool) {
	if p := c.At(min(c.Now, c.Most())); p != nil && c.Now >= 0 {
		return p.Percent(), true
	}
	return 0, false
}

// axis names a curve's quantity and its ticks.
func (c *Curve) axis() (title string, ticks []int, label func(int) string) {
	switch c.Of {
	case arch.Registers:
		return "registers per thread", ticksUpTo(c.Most(), 32), itoa
	case arch.Shared:
		return "shared memory per block", ticksUpTo(c.Most(), tickKiB(c.Most())<<10), func(n int) string { return itoa(n>>10) + " KiB" }
	default:
		return "threads per block", ticksUpTo(c.Most(), 256), itoa
	}
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
