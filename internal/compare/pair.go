package compare

import (
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

// key is what makes two records the same kernel in two builds: the canonical
// names leave out what the compiler makes up anew for each build.
type key struct{ name, parent, arch string }

// copies are the compilations of one name in one log: a template that several
// files instantiate is compiled in each of them.
type copies struct {
	key    key
	name   string
	first  *rules.Judgement
	values Values
	count  int
}

// bundle joins the compilations of each printed name, in the order of the
// log. Records without a name belong to nobody and are left out.
func bundle(judged []rules.Judgement) []*copies {
	type printed struct{ name, parent, arch string }
	seen := make(map[printed]*copies, len(judged))
	var list []*copies
	for i := range judged {
		j := &judged[i]
		k := j.Kernel
		if k.Name == "" {
			continue
		}
		if c := seen[printed{k.Name, k.Parent, k.Arch}]; c != nil {
			c.values = worst(c.values, measure(j))
			c.count++
			continue
		}
		c := &copies{
			key:  key{name.Canonical(k.Name), name.Canonical(k.Parent), k.Arch},
			name: k.Name, first: j, values: measure(j), count: 1,
		}
		seen[printed{k.Name, k.Parent, k.Arch}] = c
		list = append(list, c)
	}
	return list
}

// pairUp joins two sides. Kernels of internal linkage in several files can
// share a key, so within a key the same printed name comes first, then the
// same numbers, then the order of the logs.
func pairUp(olds, news []*copies) []Pair {
	var pairs []Pair
	olds, news = joinBy(&pairs, olds, news, func(c *copies) any { return [2]any{c.key, c.name} })
	olds, news = joinBy(&pairs, olds, news, func(c *copies) any { return [2]any{c.key, c.values} })
	olds, news = joinBy(&pairs, olds, news, func(c *copies) any { return c.key })
	for _, o := range olds {
		pairs = append(pairs, newPair(o, nil))
	}
	for _, n := range news {
		pairs = append(pairs, newPair(nil, n))
	}
	return pairs
}

// joinBy pairs what has the same identity, each once, and returns what is left
// of either side.
func joinBy(pairs *[]Pair, olds, news []*copies, identity func(*copies) any) (restOld, restNew []*copies) {
	waiting := make(map[any][]*copies, len(olds))
	for _, o := range olds {
		id := identity(o)
		waiting[id] = append(waiting[id], o)
	}
	paired := make(map[*copies]bool, len(olds))
	for _, n := range news {
		id := identity(n)
		if len(waiting[id]) == 0 {
			restNew = append(restNew, n)
			continue
		}
		o := waiting[id][0]
		waiting[id] = waiting[id][1:]
		paired[o] = true
		*pairs = append(*pairs, newPair(o, n))
	}
	for _, o := range olds {
		if !paired[o] {
			restOld = append(restOld, o)
		}
	}
	return restOld, restNew
}

// newPair joins two sides, of which one may be nil.
func newPair(before, after *copies) Pair {
	var p Pair
	if before != nil {
		p.describe(before)
		p.OldName, p.Old, p.OldCopies = before.name, before.values, before.count
		p.OldPlace, p.OldStage = before.first.Kernel.Place, before.first.Kernel.Stage
	}
	if after != nil {
		p.describe(after)
		p.New, p.NewCopies = after.values, after.count
		p.Place, p.NewStage = after.first.Kernel.Place, after.first.Kernel.Stage
	}
	return p
}

func (p *Pair) describe(c *copies) {
	k := c.first.Kernel
	p.key = c.key
	if c.first.Declared != nil && c.first.Declared.Source.Set {
		p.Source = c.first.Declared.Source.Value
	}
	p.Name, p.Parent, p.Arch, p.Kind = k.Name, k.Parent, k.Arch, k.Kind
}
