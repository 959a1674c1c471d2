package compare

import (
	"cmp"
	"iter"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// key is what makes two records the same kernel in two builds: the canonical
// names leave out what the compiler makes up anew for each build.
type key struct{ name, parent, arch, variant string }

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
func bundle(judged iter.Seq2[int, rules.Judgement]) []*copies {
	type printed struct{ name, parent, arch, variant string }
	seen := map[printed]*copies{}
	var list []*copies
	for _, j := range judged {
		k := &j.Kernel
		if k.Name == "" {
			continue
		}
		if c := seen[printed{k.Name, k.Parent, k.Arch, k.Variant}]; c != nil {
			c.values = worst(c.values, measure(&j))
			c.count++
			continue
		}
		first := j // the only one to be kept
		c := &copies{
			key:  key{name.Canonical(k.Name), name.Canonical(k.Parent), k.Arch, parameters(k.Variant)},
			name: k.Name, first: &first, values: measure(&j), count: 1,
		}
		seen[printed{k.Name, k.Parent, k.Arch, k.Variant}] = c
		list = append(list, c)
	}
	return list
}

// parameters is a variant without the hash at its end, which is another for
// each source.
func parameters(variant string) string {
	words := strings.Fields(variant)
	if n := len(words); n > 0 && !strings.Contains(words[n-1], "=") {
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

// pairUp joins two sides. Kernels of internal linkage in several files can
// share a key, so within a key the same printed name comes first, then the
// same numbers, then the order of the logs.
func pairUp(olds, news []*copies) []Pair {
	var pairs []Pair
	olds, news = joinBy(&pairs, olds, news, func(c *copies) any { return [2]any{c.key, c.name} })
	olds, news = joinBy(&pairs, olds, news, func(c *copies) any { return [2]any{c.key, c.values} })
	olds, news = joinBy(&pairs, olds, news, func(c *copies) any { return c.key })
	olds, news = joinUnknownArch(&pairs, olds, news)
	for _, o := range olds {
		pairs = append(pairs, newPair(o, nil))
	}
	for _, n := range news {
		pairs = append(pairs, newPair(nil, n))
	}
	return pairs
}

// joinUnknownArch pairs what is left where one side names no architecture: a
// linker names it only when it links several, and cuobjdump not for a single
// one. It is certain only where either side has one record of the name.
func joinUnknownArch(pairs *[]Pair, olds, news []*copies) (restOld, restNew []*copies) {
	type named struct{ name, parent string }
	both := map[named][2][]*copies{}
	add := func(side int, list []*copies) {
		for _, c := range list {
			id := named{c.key.name, c.key.parent}
			sides := both[id]
			sides[side] = append(sides[side], c)
			both[id] = sides
		}
	}
	add(0, olds)
	add(1, news)
	certain := func(c *copies) bool {
		s := both[named{c.key.name, c.key.parent}]
		return len(s[0]) == 1 && len(s[1]) == 1 && (s[0][0].key.arch == "") != (s[1][0].key.arch == "")
	}
	for _, o := range olds {
		if !certain(o) {
			restOld = append(restOld, o)
			continue
		}
		n := both[named{o.key.name, o.key.parent}][1][0]
		*pairs = append(*pairs, newPair(o.withoutShare(), n.withoutShare()))
	}
	for _, n := range news {
		if !certain(n) {
			restNew = append(restNew, n)
		}
	}
	return restOld, restNew
}

// withoutShare forgets the shared memory of a linked record that names no
// architecture: from sm_90 on it includes the system's share, before it does not.
func (c *copies) withoutShare() *copies {
	if c.key.arch != "" || c.first.Kernel.Stage == parse.StagePtxas || c.values[Shared].Number == 0 {
		return c
	}
	unsure := *c
	unsure.values[Shared] = Value{}
	return &unsure
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
	k := &c.first.Kernel
	p.key = c.key
	if c.first.Declared != nil && c.first.Declared.Source.Set {
		p.Source = c.first.Declared.Source.Value
	}
	p.Name, p.Parent = k.Name, k.Parent
	p.Arch, p.Kind = cmp.Or(k.Arch, p.Arch), cmp.Or(k.Kind, p.Kind)
}
