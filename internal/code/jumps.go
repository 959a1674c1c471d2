package code

import (
	"cmp"
	"slices"
)

// jumps marks the calls that are jumps and reports whether there are any. From
// sm_70 on a call keeps no return address of its own, so that ptxas can use it
// for a branch that all threads of a warp take together:
//
//	@P0 CALL.REL.NOINC out   // never returns: out goes on with the function
//	    BRA loop
//	out:
//
// Such a call leads into the function that it stands in, behind its start (a
// call of the start is a recursion). In a kernel, what it leads to may still be
// a subroutine without a name; that one ends in RET, which a kernel itself
// never does. The disassembler takes each call into its own function for a
// branch.
func (g *graph) jumps() bool {
	if g.Width != 16 {
		return false
	}
	var returning []bool
	found := false
	find := newOwners(g.functions)
	for n := range g.Insts {
		i := &g.Insts[n]
		if i.Kind != Call || i.Target == NoTarget {
			continue
		}
		f := find.at(i.Offset)
		if f < 0 || f != find.at(i.Target) || g.functions[f].Start == i.Target {
			continue
		}
		if g.functions[f].Entry {
			if returning == nil {
				returning = g.returning()
			}
			if b := g.starting(i.Target); b < 0 || returning[b] {
				continue
			}
		}
		i.Jump, found = true, true
	}
	return found
}

// returning tells which blocks a RET can be reached from.
func (g *graph) returning() []bool {
	reaches := make([]bool, len(g.blocks)+1)
	var todo []int32
	for n, b := range g.blocks {
		if b.last > b.first && g.Insts[b.last-1].Kind == Return {
			reaches[n] = true
			todo = append(todo, int32(n))
		}
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range g.predecessors(b) {
			if !reaches[p] {
				reaches[p] = true
				todo = append(todo, p)
			}
		}
	}
	return reaches
}

// owners finds the smallest function around an offset. Functions nest: the
// kernel's own symbol may span those that stand inside of its section.
type owners struct {
	functions []Function
	order     []int // indexes of functions by their start, the wider first
	around    []int // by position in order: the position of the one around it, -1 for none
}

func newOwners(functions []Function) *owners {
	o := &owners{functions: functions, order: make([]int, len(functions)), around: make([]int, len(functions))}
	for i := range functions {
		o.order[i] = i
	}
	slices.SortStableFunc(o.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(functions[a].Start, functions[b].Start), -cmp.Compare(functions[a].End, functions[b].End))
	})
	var open []int
	for n, i := range o.order {
		for len(open) > 0 && functions[o.order[open[len(open)-1]]].End <= functions[i].Start {
			open = open[:len(open)-1]
		}
		o.around[n] = -1
		if len(open) > 0 {
			o.around[n] = open[len(open)-1]
		}
		open = append(open, n)
	}
	return o
}

// mostNested bounds how deep functions of a damaged file nest.
const mostNested = 16

func (o *owners) at(offset uint32) int {
	n, _ := slices.BinarySearchFunc(o.order, offset, func(i int, at uint32) int {
		if o.functions[i].Start <= at {
			return -1
		}
		return 1
	})
	n--
	for range mostNested {
		if n < 0 {
			return -1
		}
		if i := o.order[n]; offset < o.functions[i].End {
			return i
		}
		n = o.around[n]
	}
	return -1
}
