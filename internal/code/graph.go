package code

import (
	"cmp"
	"slices"
)

// graph is the control flow between the blocks of a section. Node len(blocks)
// is a root above all that control can enter from outside.
type graph struct {
	*Code
	tables []Table
	// next[from[b]:from[b+1]] are the blocks that b leads to; prev likewise.
	next, from []int32
	prev, back []int32
	entries    []uint32
	// waits are the targets of the barriers: where a BSYNC goes on.
	waits [16][]uint32

	order []int32 // nodes by the number that a depth-first walk gave them
	num   []int32 // the other way round; -1: not reached
	idom  []int32 // immediate dominators, by node
	up    []int32 // parents in the walk's tree, by node
}

type edge struct{ from, to int32 }

func newGraph(c *Code, tables []Table) *graph {
	g := &graph{Code: c, tables: slices.Clone(tables)}
	// A call through a register has a table too, an empty one.
	g.tables = slices.DeleteFunc(g.tables, func(t Table) bool { return len(t.Targets) == 0 })
	slices.SortFunc(g.tables, func(a, b Table) int { return cmp.Compare(a.At, b.At) })
	g.draw()
	if g.jumps() {
		g.draw()
	}
	return g
}

// draw makes blocks of the instructions and connects them.
func (g *graph) draw() {
	g.entries, g.waits, g.blocks, g.Unresolved = nil, [16][]uint32{}, nil, nil
	g.collect()
	g.split()
	g.connect()
}

// collect finds what control can enter from outside of the flow, and where
// barriers lead.
func (g *graph) collect() {
	for _, f := range g.functions {
		g.entries = append(g.entries, f.Start)
	}
	if len(g.entries) == 0 {
		g.entries = append(g.entries, 0)
	}
	for _, i := range g.Insts {
		switch {
		case i.Kind == Call && i.Target != NoTarget && !i.Jump:
			g.entries = append(g.entries, i.Target)
		case i.Kind == BarrierSet && i.Target != NoTarget:
			g.waits[i.Barrier] = append(g.waits[i.Barrier], i.Target)
		}
	}
	for b := range g.waits {
		slices.Sort(g.waits[b])
	}
	slices.Sort(g.entries)
	g.entries = slices.Compact(g.entries)
}

// ends reports whether control may go elsewhere than to the next slot.
func (i *Inst) ends() bool {
	switch i.Kind {
	case Call:
		return i.Jump
	case Branch, IndirectBranch, Jump, Return, Exit, Kill, BarrierSync, Sync, Break, Continue:
		return true
	default:
	}
	return false
}

// landing is the slot that control reaches when it goes to an offset: on some
// architectures a target may be a slot without an instruction.
func (g *graph) landing(offset uint32) uint32 {
	if g.Width == 8 && g.control(offset, 0) {
		return offset + 8
	}
	return offset
}

// split cuts the section into blocks.
func (g *graph) split() {
	leaders := make([]uint32, 0, len(g.Insts)+len(g.entries)+1)
	leaders = append(leaders, g.landing(0))
	for _, e := range g.entries {
		leaders = append(leaders, g.landing(e))
	}
	for _, t := range g.tables {
		for _, to := range t.Targets {
			leaders = append(leaders, g.landing(to))
		}
	}
	for _, i := range g.Insts {
		if i.Target != NoTarget {
			leaders = append(leaders, g.landing(i.Target))
		}
		if i.ends() {
			leaders = append(leaders, g.landing(i.Offset+g.Width))
		}
	}
	slices.Sort(leaders)
	// A hostile table or symbol can point into an instruction, or behind the last
	// whole one: nothing begins there.
	leaders = slices.DeleteFunc(slices.Compact(leaders), func(at uint32) bool {
		return at%g.Width != 0 || at >= g.size || g.size-at < g.Width
	})
	at := 0
	for n, start := range leaders {
		end := g.size - g.size%g.Width
		if n+1 < len(leaders) {
			end = min(end, leaders[n+1])
		}
		for at < len(g.Insts) && g.Insts[at].Offset < start {
			at++
		}
		b := block{start: start, end: end, first: at, loop: -1}
		for at < len(g.Insts) && g.Insts[at].Offset < end {
			at++
		}
		b.last = at
		g.blocks = append(g.blocks, b)
	}
}

// connect draws the edges.
func (g *graph) connect() {
	var edges []edge
	add := func(b int, to uint32) {
		if t := g.starting(to); t >= 0 {
			edges = append(edges, edge{int32(b), t})
		}
	}
	for n := range g.blocks {
		g.leave(n, func(to uint32) { add(n, to) })
	}
	edges = append(edges, g.unwind()...)
	root := int32(len(g.blocks))
	for _, e := range g.entries {
		if t := g.starting(e); t >= 0 {
			edges = append(edges, edge{root, t})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		if a.from != b.from {
			return cmp.Compare(a.from, b.from)
		}
		return cmp.Compare(a.to, b.to)
	})
	edges = slices.Compact(edges)
	g.next, g.from = adjacency(edges, len(g.blocks)+1, false)
	g.prev, g.back = adjacency(edges, len(g.blocks)+1, true)
}

// adjacency lists for each node where its edges lead, or with reverse where
// those into it come from.
func adjacency(edges []edge, nodes int, reverse bool) (list, from []int32) {
	list, from = make([]int32, len(edges)), make([]int32, nodes+1)
	for _, e := range edges {
		if reverse {
			e.from = e.to
		}
		from[e.from+1]++
	}
	for n := range nodes {
		from[n+1] += from[n]
	}
	fill := slices.Clone(from)
	for _, e := range edges {
		if reverse {
			e.from, e.to = e.to, e.from
		}
		list[fill[e.from]] = e.to
		fill[e.from]++
	}
	return list, from
}

func (g *graph) successors(n int32) []int32   { return g.next[g.from[n]:g.from[n+1]] }
func (g *graph) predecessors(n int32) []int32 { return g.prev[g.back[n]:g.back[n+1]] }

// starting returns the block that starts where control lands at an offset, or -1.
func (g *graph) starting(offset uint32) int32 {
	offset = g.landing(offset)
	b := g.block(offset)
	if b < 0 || g.blocks[b].start != offset {
		return -1
	}
	return int32(b)
}

// leave calls add with each offset that block n leads to, but for the
// instructions that pop a stack: unwind finds those.
func (g *graph) leave(n int, add func(uint32)) {
	b := g.blocks[n]
	if b.last == b.first || !g.Insts[b.last-1].ends() || g.landing(g.Insts[b.last-1].Offset+g.Width) < b.end {
		add(b.end)
		return
	}
	i := g.Insts[b.last-1]
	falls := i.Guarded
	switch i.Kind {
	case Branch, Jump, Call:
		if i.Target == NoTarget {
			g.Unresolved = append(g.Unresolved, i.Offset)
		} else {
			add(i.Target)
		}
	case IndirectBranch:
		at, found := g.table(i.Offset)
		if !found {
			if g.Width == 16 { // before sm_70 it may be a call: unwind looks
				g.Unresolved = append(g.Unresolved, i.Offset)
			}
			break
		}
		for _, to := range g.tables[at].Targets {
			add(to)
		}
	case BarrierSync:
		to, found := g.after(i)
		if found {
			add(to)
		}
		falls = falls || !found
	default:
	}
	if falls {
		add(b.end)
	}
}

// table returns the index of the table of the branch at an offset.
func (g *graph) table(offset uint32) (int, bool) {
	return slices.BinarySearchFunc(g.tables, offset, func(t Table, o uint32) int { return cmp.Compare(t.At, o) })
}

// after is where a BSYNC goes on: ptxas lays the code of a region out before
// the place where its threads meet again, so it is the nearest place behind it
// that a BSSY names for the same barrier.
func (g *graph) after(i Inst) (uint32, bool) {
	w := g.waits[i.Barrier]
	at, _ := slices.BinarySearch(w, i.Offset+g.Width)
	if at == len(w) {
		return 0, false
	}
	return w[at], true
}
