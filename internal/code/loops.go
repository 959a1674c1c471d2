package code

import (
	"cmp"
	"slices"
)

// Loop is a natural loop: the blocks between its header, through which alone
// it is entered, and the branches back to it.
type Loop struct {
	Parent int // index in Loops of the loop around it; -1 for none
	Depth  int // 1 for an outermost loop
	Header uint32
	// Start and End are the offsets of its first and its last instruction.
	// A loop need not fill what is between them.
	Start, End   uint32
	Instructions int      // slots with an instruction, those of inner loops included
	Back         []uint32 // the branches back to the header, by offset
}

// loops finds the natural loops, innermost first, so that each is walked once:
// a loop that was found stands for all of its blocks in the loops around it.
func (g *graph) loops() {
	d := g.dominance()
	n := len(g.blocks)
	within := make([]int32, n) // the header that stands for a block
	loop := make([]int32, n)   // the loop that a block is the header of
	for b := range within {
		within[b], loop[b] = int32(b), -1
	}
	find := func(b int32) int32 {
		top := b
		for within[top] != top {
			top = within[top]
		}
		for within[b] != top {
			within[b], b = top, within[b]
		}
		return top
	}
	var found []Loop
	for w := len(g.order) - 1; w > 0; w-- {
		h := g.order[w]
		var todo []int32
		var back []uint32
		for _, p := range g.predecessors(h) {
			if int(p) < n && g.num[p] >= 0 && d.over(h, p) {
				todo = append(todo, p)
				back = append(back, g.blocks[p].end-g.Width)
			}
		}
		if len(back) == 0 {
			continue
		}
		id := int32(len(found))
		loop[h] = id
		g.blocks[h].loop = id
		slices.Sort(back)
		found = append(found, Loop{Parent: -1, Header: g.blocks[h].start, Back: back})
		for len(todo) > 0 {
			b := find(todo[len(todo)-1])
			todo = todo[:len(todo)-1]
			if b == h {
				continue
			}
			if loop[b] >= 0 {
				found[loop[b]].Parent = int(id)
			} else {
				g.blocks[b].loop = id
			}
			within[b] = h
			for _, p := range g.predecessors(b) {
				if int(p) < n && g.num[p] >= 0 && find(p) != b {
					todo = append(todo, p)
				}
			}
		}
	}
	g.measure(found)
}

// measure sizes the loops and puts them in order.
func (g *graph) measure(found []Loop) {
	for i := range found {
		found[i].Start, found[i].End = NoTarget, 0
	}
	for _, b := range g.blocks {
		if b.loop >= 0 {
			found[b.loop].cover(b.start, b.end-g.Width, g.slots(b.start, b.end))
		}
	}
	for _, l := range found { // an outer loop is found after those in it
		if l.Parent >= 0 {
			found[l.Parent].cover(l.Start, l.End, l.Instructions)
		}
	}
	for i := len(found) - 1; i >= 0; i-- {
		found[i].Depth = 1
		if p := found[i].Parent; p >= 0 {
			found[i].Depth = found[p].Depth + 1
		}
	}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(found[a].Depth, found[b].Depth), cmp.Compare(found[a].Header, found[b].Header))
	})
	place := make([]int, len(found)+1)
	for to, old := range order {
		place[old+1] = to
	}
	place[0] = -1
	for _, old := range order {
		l := found[old]
		l.Parent = place[l.Parent+1]
		g.Loops = append(g.Loops, l)
	}
	for b := range g.blocks {
		g.blocks[b].loop = int32(place[g.blocks[b].loop+1])
	}
}

func (l *Loop) cover(start, end uint32, instructions int) {
	l.Start, l.End = min(l.Start, start), max(l.End, end)
	l.Instructions += instructions
}
