package code

// tangles marks the blocks of cycles that can be entered at several places:
// their depth can't be told, since it isn't clear what is the loop.
func (g *graph) tangles() {
	d := g.dominance()
	n := len(g.blocks)
	back := func(from, to int32) bool { return int(from) < n && d.over(to, from) }
	if !g.strays(d) {
		return
	}
	// Without the branches back to a header, only such cycles are left:
	// components with more than one block.
	var (
		low, stack = make([]int32, n+1), []int32(nil)
		on         = make([]bool, n+1)
		num        = make([]int32, n+1)
		clock      int32
	)
	type step struct{ node, at int32 }
	root := int32(n)
	open := func(v int32) step {
		clock++
		num[v], low[v] = clock, clock
		stack, on[v] = append(stack, v), true
		return step{node: v, at: g.from[v]}
	}
	todo := []step{open(root)}
	for len(todo) > 0 {
		s := &todo[len(todo)-1]
		v := s.node
		if s.at == g.from[v+1] {
			todo = todo[:len(todo)-1]
			if len(todo) > 0 {
				u := todo[len(todo)-1].node
				low[u] = min(low[u], low[v])
			}
			if low[v] == num[v] {
				stack = g.closed(stack, on, v)
			}
			continue
		}
		to := g.next[s.at]
		s.at++
		switch {
		case back(v, to):
		case num[to] == 0:
			todo = append(todo, open(to))
		case on[to]:
			low[v] = min(low[v], num[to])
		}
	}
}

// closed takes a component off the stack and marks it if it is a cycle.
func (g *graph) closed(stack []int32, on []bool, v int32) []int32 {
	top := len(stack)
	for stack[top-1] != v {
		top--
	}
	component := stack[top-1:]
	for _, b := range component {
		on[b] = false
		if len(component) > 1 {
			g.blocks[b].state = tangled
		}
	}
	return stack[:top-1]
}

// strays reports whether the walk went back along an edge to a block that does
// not dominate where the edge came from.
func (g *graph) strays(d dominance) bool {
	// In a depth-first walk every cycle has an edge to a node that was
	// numbered no later; most such edges are cross edges and lie on none.
	last := g.spans()
	for _, v := range g.order {
		for _, to := range g.successors(v) {
			above := g.num[to] <= g.num[v] && g.num[v] <= last[to]
			if above && !d.over(to, v) {
				return true
			}
		}
	}
	return false
}

// spans gives for each node the highest number in its part of the walk's tree.
func (g *graph) spans() []int32 {
	last := make([]int32, len(g.num))
	for i := len(g.order) - 1; i >= 0; i-- {
		v := g.order[i]
		last[v] = max(last[v], g.num[v])
		if p := g.up[v]; p >= 0 {
			last[p] = max(last[p], last[v])
		}
	}
	return last
}
