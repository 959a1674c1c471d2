package code

// dominators numbers the nodes by a depth-first walk from the root and finds
// each one's immediate dominator, by the method of Lengauer and Tarjan: its
// cost stays near the number of edges, whatever the code is like.
func (g *graph) dominators() {
	root := int32(len(g.blocks))
	nodes := len(g.blocks) + 1
	g.number(root, nodes)
	n := len(g.order)
	// From here on nodes go by their numbers.
	semi, label, ancestor := make([]int32, n), make([]int32, n), make([]int32, n)
	dom := make([]int32, n)
	bucket := make([][]int32, n)
	for v := range int32(n) {
		semi[v], label[v], ancestor[v] = v, v, -1
	}
	parent := func(v int32) int32 { return g.num[g.up[g.order[v]]] }
	var path []int32
	// eval returns the node of least semidominator above v in the forest.
	eval := func(v int32) int32 {
		if ancestor[v] < 0 {
			return label[v]
		}
		path = path[:0]
		for u := v; ancestor[ancestor[u]] >= 0; u = ancestor[u] {
			path = append(path, u)
		}
		for i := len(path) - 1; i >= 0; i-- {
			u := path[i]
			a := ancestor[u]
			if semi[label[a]] < semi[label[u]] {
				label[u] = label[a]
			}
			ancestor[u] = ancestor[a]
		}
		return label[v]
	}
	for w := int32(n - 1); w > 0; w-- {
		for _, p := range g.predecessors(g.order[w]) {
			if g.num[p] < 0 {
				continue
			}
			if s := semi[eval(g.num[p])]; s < semi[w] {
				semi[w] = s
			}
		}
		bucket[semi[w]] = append(bucket[semi[w]], w)
		p := parent(w)
		ancestor[w] = p
		for _, v := range bucket[p] {
			if u := eval(v); semi[u] < semi[v] {
				dom[v] = u
			} else {
				dom[v] = p
			}
		}
		bucket[p] = nil
	}
	g.idom = make([]int32, nodes)
	for v := range g.idom {
		g.idom[v] = -1
	}
	for w := int32(1); w < int32(n); w++ {
		if dom[w] != semi[w] {
			dom[w] = dom[dom[w]]
		}
		g.idom[g.order[w]] = g.order[dom[w]]
	}
	g.reach()
}

// reach marks what control gets to from the functions that have names. What only
// a call without one leads to is in the loops around that call too: they are not
// counted, so that its depth isn't known.
func (g *graph) reach() {
	var todo []int32
	add := func(b int32) {
		if b >= 0 && int(b) < len(g.blocks) && g.blocks[b].state == unreached {
			g.blocks[b].state = reached
			todo = append(todo, b)
		}
	}
	add(g.starting(0))
	for _, f := range g.functions {
		add(g.starting(f.Start))
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, to := range g.successors(b) {
			add(to)
		}
	}
}

// number walks depth first from the root.
func (g *graph) number(root int32, nodes int) {
	g.num, g.up = make([]int32, nodes), make([]int32, nodes)
	for v := range g.num {
		g.num[v], g.up[v] = -1, -1
	}
	type step struct{ node, at int32 }
	todo := []step{{node: root}}
	g.num[root], g.order = 0, append(g.order, root)
	for len(todo) > 0 {
		s := &todo[len(todo)-1]
		next := g.successors(s.node)
		if int(s.at) == len(next) {
			todo = todo[:len(todo)-1]
			continue
		}
		v := next[s.at]
		s.at++
		if g.num[v] >= 0 {
			continue
		}
		g.num[v], g.up[v] = int32(len(g.order)), s.node
		g.order = append(g.order, v)
		todo = append(todo, step{node: v})
	}
}

// dominance answers whether one node dominates another, by the intervals of a
// walk over the tree of dominators.
type dominance struct{ in, out []int32 }

func (g *graph) dominance() dominance {
	nodes := len(g.blocks) + 1
	d := dominance{in: make([]int32, nodes), out: make([]int32, nodes)}
	var edges []edge
	for v, p := range g.idom {
		if p >= 0 {
			edges = append(edges, edge{p, int32(v)})
		}
	}
	children, from := adjacency(edges, nodes, false)
	type step struct{ node, at int32 }
	todo, clock := []step{{node: int32(len(g.blocks))}}, int32(1)
	d.in[len(g.blocks)] = clock
	for len(todo) > 0 {
		s := &todo[len(todo)-1]
		if next := children[from[s.node]:from[s.node+1]]; int(s.at) < len(next) {
			v := next[s.at]
			s.at++
			clock++
			d.in[v] = clock
			todo = append(todo, step{node: v})
			continue
		}
		d.out[s.node] = clock
		todo = todo[:len(todo)-1]
	}
	return d
}

// over reports whether a dominates b; both must be reached.
func (d dominance) over(a, b int32) bool { return d.in[a] <= d.in[b] && d.out[b] <= d.out[a] }
