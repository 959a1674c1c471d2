package source

import (
	"slices"
	"strconv"

	"github.com/occlint/occlint/parse"
)

// choose makes one answer of all declarations that can be the log's kernel.
// What each source file says comes first; the files must agree.
func (q *question) choose(all []outcome) Answer {
	if len(all) == 0 {
		return Answer{}
	}
	var merged []outcome
	for len(all) > 0 {
		u := all[0].k.unit
		var own, rest []outcome
		for _, o := range all {
			if o.k.unit == u {
				own = append(own, o)
			} else {
				rest = append(rest, o)
			}
		}
		merged = append(merged, q.inFile(own))
		all = rest
	}
	// A file that only declares the kernel need not repeat what the file that
	// defines it says.
	var only []outcome
	if slices.ContainsFunc(merged, func(o outcome) bool { return o.k.Definition }) {
		for _, o := range merged {
			if !o.k.Definition {
				only = append(only, o)
			}
		}
		merged = slices.DeleteFunc(merged, func(o outcome) bool { return !o.k.Definition })
	}
	main := merged[0]
	for _, o := range only {
		main.comments = main.comments.with(o.comments)
	}
	for _, o := range merged[1:] {
		if o.fail == nil && main.fail == nil && o.d == main.d && before(o.k.pos, main.k.pos) {
			// Several files have such a kernel and all say the same: the place
			// is that of the first, in every run.
			main.k, main.boundsAt, main.maxnregAt = o.k, o.boundsAt, o.maxnregAt
		}
		main.apart = main.apart || o.k.pos != main.k.pos
		main = agree(main, o)
	}
	return main.answer()
}

// inFile merges the declarations of one source file. A specialization takes
// what it does not say from its template, and a definition from the
// declarations of the same kernel: so does nvcc (seen with 13.0).
func (q *question) inFile(all []outcome) outcome {
	special := slices.ContainsFunc(all, func(o outcome) bool { return o.special })
	var own, primary []outcome
	for _, o := range all {
		if special && !o.special {
			primary = append(primary, o)
		} else {
			own = append(own, o)
		}
	}
	main := q.redeclared(own)
	if len(primary) > 0 {
		main = main.over(q.redeclared(primary))
	}
	return main
}

// redeclared merges the declarations and definitions of one kernel.
func (q *question) redeclared(all []outcome) outcome {
	main := all[0]
	found := false
	for _, o := range all {
		switch {
		case !o.k.Definition:
		case !found:
			main, found = o, true
		default:
			main = agree(main, o)
		}
	}
	// A declaration without a definition of its own is of another kernel.
	for i, o := range all {
		if o.k.Definition || o.k == main.k || slices.Equal(o.k.types, main.k.types) {
			continue
		}
		if !slices.ContainsFunc(all, func(d outcome) bool { return d.k.Definition && slices.Equal(d.k.types, o.k.types) }) {
			main.others, all[i].comments = append(main.others, o.comments), nil
		}
	}
	for _, o := range all {
		if o.k.Definition || o.k == main.k {
			continue
		}
		if o.d == (declared{}) && o.fail == nil {
			main.note(o)
			continue
		}
		if cond := q.doubtful(o.k.guards, main.k.guards); cond != nil && main.fail == nil && o.d.over(main.d) != main.d {
			main.fail = dependsOn(o.k.attributePos(), cond, main.d, o.d.over(main.d))
			continue
		}
		main = main.over(o)
	}
	return main
}

// over adds what base says and o does not. Where both say something, it must
// be the same, unless o is a specialization.
func (o outcome) over(base outcome) outcome {
	o.note(base)
	switch {
	case o.fail != nil:
	case base.fail != nil:
		if !o.d.threads.set || !o.d.minBlocks.set {
			o.fail, o.failAt = base.fail, base.at()
		}
	default:
		merged := o.d.over(base.d)
		if !o.special && merged != base.d.over(o.d) {
			o.fail = differently(o, base)
			return o
		}
		if !o.d.threads.set && base.d.threads.set {
			o.boundsAt = base.boundsAt
		}
		if !o.d.maxnreg.set && base.d.maxnreg.set {
			o.maxnregAt = base.maxnregAt
		}
		o.d = merged
	}
	return o
}

// note takes over what does not contradict: comments, and the use of dynamic
// shared memory.
func (o *outcome) note(other outcome) {
	o.dynamic = o.dynamic || other.dynamic
	o.others = slices.Concat(o.others, other.others)
	if o.special && !other.special {
		o.comments = o.comments.beside(other.comments)
	} else {
		o.comments = o.comments.with(other.comments)
	}
}

// agree makes one of two definitions, which must say the same.
func agree(main, o outcome) outcome {
	same := o.d == main.d && (o.fail == nil) == (main.fail == nil)
	main.dynamic = main.dynamic || o.dynamic
	main.others = slices.Concat(main.others, []*Comments{o.comments}, o.others)
	switch {
	case same || main.fail != nil && o.fail != nil:
	case main.fail != nil:
		if exclusive(o.k.guards, main.k.guards) != nil {
			main.fail = main.fail.unless("otherwise", o.d)
		}
	case o.fail != nil:
		was := main.d
		main.fail, main.failAt = o.fail, o.at()
		if exclusive(o.k.guards, main.k.guards) != nil {
			main.fail = main.fail.unless("otherwise", was)
		}
	default:
		if f := exclusive(o.k.guards, main.k.guards); f != nil {
			a, b := main.d, o.d
			if before(o.k.pos, main.k.pos) {
				a, b = b, a
			}
			main.fail = dependsOn(main.k.attributePos(), f, a, b)
			return main
		}
		main.fail = differently(main, o)
	}
	return main
}

func dependsOn(at pos, f *formula, a, b declared) *failure {
	fail := failing(at, "it depends on ", strconv.Quote(shortText(f.String())), " at ", f.place().String(), ", which is not known: ", a.String(), " or ", b.String())
	fail.hinted = true
	return fail
}

func differently(a, b outcome) *failure {
	if before(b.k.pos, a.k.pos) {
		a, b = b, a
	}
	return failing(a.k.attributePos(), "it is declared differently at ", a.k.pos.String(), " (", a.d.String(), ") and at ", b.k.pos.String(), " (", b.d.String(), ")")
}

// doubtful returns a condition of guards that is open although given hold.
func (q *question) doubtful(guards, given []*guard) *formula {
	w := &world{target: q.target, known: q.known, assumed: map[*formula]bool{}}
	w.assume(given)
	if _, f := w.holds(guards); f != nil {
		return f.need
	}
	return nil
}

// before orders places, so that a message is the same in every run.
func before(a, b pos) bool {
	switch {
	case a.file == nil || b.file == nil:
		return b.file != nil
	case a.file != b.file:
		return a.file.path < b.file.path
	}
	return a.offset < b.offset
}

// exclusive returns the condition that keeps two places from being compiled
// together, nil when there is none.
func exclusive(a, b []*guard) *formula {
	for _, g := range a {
		for ; g != nil; g = g.parent {
			for _, h := range b {
				if v := h.decide(g.f); v != unknown && (v == yes) != g.want {
					return g.f
				}
			}
		}
	}
	return nil
}

// at is where the declaration's attributes stand.
func (o outcome) at() pos {
	if o.failAt.file != nil {
		return o.failAt
	}
	if len(o.k.attributes()) == 0 && len(o.k.hidden) > 0 {
		return o.k.hidden[0].pos
	}
	return o.k.attributePos()
}

func (o outcome) answer() Answer {
	a := Answer{Name: o.k.Name, Place: o.k.pos.place(), DynamicShared: o.dynamic, Comments: o.said()}
	if o.fail != nil {
		a.Unresolved, a.UnresolvedAt = o.fail.reason, o.at().place()
		if at := o.at(); at != o.k.pos {
			a.UnresolvedText = at.written()
		}
		if o.apart {
			a.Place = parse.Place{} // the reason names the places
		}
		return a
	}
	if o.d.threads.set {
		a.Threads, a.MinBlocks, a.Cluster, a.Block = int(o.d.threads.n), int(o.d.minBlocks.n), int(o.d.cluster.n), int(o.d.block.n)
		a.Bounds, a.BoundsText = o.boundsAt.place(), o.boundsAt.written()
	}
	if o.d.maxnreg.set {
		a.MaxRegisters, a.MaxRegPlace, a.MaxRegText = int(o.d.maxnreg.n), o.maxnregAt.place(), o.maxnregAt.written()
	}
	return a
}

// said lists the comments of each kernel that the log's can be.
func (o outcome) said() []*Comments {
	all := []*Comments{o.comments}
	for _, c := range o.others {
		// Two source files see one kernel of a header.
		if !slices.ContainsFunc(all, c.equal) {
			all = append(all, c)
		}
	}
	if !slices.ContainsFunc(all, func(c *Comments) bool { return c != nil }) {
		return nil
	}
	return all
}

// with joins the comments of two declarations of one kernel.
func (c *Comments) with(other *Comments) *Comments {
	switch {
	case other == nil || c.equal(other):
		return c
	case c == nil:
		return other
	}
	joined := &Comments{Budgets: slices.Clone(c.Budgets), Ignores: slices.Clone(c.Ignores)}
	for _, b := range other.Budgets {
		if !slices.Contains(joined.Budgets, b) {
			joined.Budgets = append(joined.Budgets, b)
		}
	}
	for _, ig := range other.Ignores {
		if !slices.Contains(joined.Ignores, ig) {
			joined.Ignores = append(joined.Ignores, ig)
		}
	}
	return joined
}

// beside adds to the comments of a specialization the budgets of its template
// that it does not set itself. What the template's comments accept is only
// accepted for a specialization that has none of its own.
func (c *Comments) beside(base *Comments) *Comments {
	if c == nil || base == nil {
		return c.with(base)
	}
	joined := &Comments{Budgets: slices.Clone(c.Budgets), Ignores: c.Ignores}
	for _, b := range base.Budgets {
		if !slices.ContainsFunc(c.Budgets, func(own Budget) bool { return own.Field == b.Field }) {
			joined.Budgets = append(joined.Budgets, b)
		}
	}
	return joined
}

func (c *Comments) equal(other *Comments) bool {
	if c == nil || other == nil {
		return c == other
	}
	return slices.Equal(c.Budgets, other.Budgets) && slices.Equal(c.Ignores, other.Ignores)
}
