package tune

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
)

// CapError says that no minimum of blocks gives a cap that was asked for.
type CapError struct {
	Cap     int
	Threads int
	Arch    string
	Have    []int // the caps there are, falling
}

func (e *CapError) Error() string {
	have := make([]string, len(e.Have))
	for i, c := range e.Have {
		have[i] = strconv.Itoa(c)
	}
	return fmt.Sprintf("no minimum of blocks caps %d threads at %d registers on %s; there are %s", e.Threads, e.Cap, e.Arch, strings.Join(have, ", "))
}

// Plan lists the variants of a kernel with so many threads per block that are
// worth compiling on sm: no bounds, the threads alone, a minimum of one block,
// which are three different modes of the compiler, and then the lowest minimum
// for each further register cap. Minimums that the architecture drops are left
// out, since the compiler would ignore them.
//
// caps keeps the variants with these caps alone; none keeps all. The error is a
// *CapError.
func Plan(sm *arch.SM, threads int, caps []int) ([]Variant, error) {
	steps := capSteps(sm, threads)
	if len(caps) > 0 {
		return chosen(sm, threads, steps, caps)
	}
	plan := []Variant{{Kind: Unbounded}, {Kind: Declared, Bounds: Bounds{Threads: threads}}}
	for _, s := range steps {
		plan = append(plan, s.variant(threads))
	}
	return plan, nil
}

// capStep is the lowest minimum of blocks that gives a cap.
type capStep struct{ minBlocks, cap int }

func (s capStep) variant(threads int) Variant {
	return Variant{Kind: Declared, Bounds: Bounds{Threads: threads, MinBlocks: s.minBlocks}}
}

func capSteps(sm *arch.SM, threads int) []capStep {
	var steps []capStep
	for blocks := 1; ; blocks++ {
		c := sm.RegisterCap(threads, blocks)
		if !c.Honoured {
			return steps
		}
		if n := len(steps); n == 0 || steps[n-1].cap != c.Registers {
			steps = append(steps, capStep{blocks, c.Registers})
		}
	}
}

func chosen(sm *arch.SM, threads int, steps []capStep, caps []int) ([]Variant, error) {
	var plan []Variant
	for _, asked := range caps {
		at := slices.IndexFunc(steps, func(s capStep) bool { return s.cap == asked })
		if at < 0 {
			e := &CapError{Cap: asked, Threads: threads, Arch: sm.Name}
			for _, s := range steps {
				e.Have = append(e.Have, s.cap)
			}
			return nil, e
		}
		if v := steps[at].variant(threads); !slices.Contains(plan, v) {
			plan = append(plan, v)
		}
	}
	return plan, nil
}

// capOf is the most registers that a variant's bounds leave a thread.
func capOf(sm *arch.SM, b Bounds) int {
	c := sm.RegistersPerThread
	if b.Threads > 0 {
		c = sm.RegisterCap(b.Threads, b.MinBlocks).Registers
	}
	if b.Registers > 0 {
		c = min(c, b.Registers)
	}
	return c
}
