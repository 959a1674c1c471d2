package source

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// outcome is what one declaration says.
type outcome struct {
	k        *Kernel
	possible bool // it can be the kernel of the log
	special  bool // it is a specialization for the log's arguments
	d        declared
	fail     *failure
	failAt   pos // where what could not be read stands, when that is another declaration
	dynamic  bool
	comments *Comments   // nil: none
	others   []*Comments // of further kernels that the log's can be
	apart    bool        // defined at several places

	boundsAt, maxnregAt pos
}

// stated is a declared number, or its absence.
type stated struct {
	n   int64
	set bool
}

// declared is what the attributes of one declaration come to.
type declared struct{ threads, minBlocks, cluster, maxnreg, block stated }

// over adds what d does not say and base does.
func (d declared) over(base declared) declared {
	pairs := [...][2]*stated{
		{&d.threads, &base.threads}, {&d.minBlocks, &base.minBlocks}, {&d.cluster, &base.cluster}, {&d.maxnreg, &base.maxnreg}, {&d.block, &base.block},
	}
	for _, p := range pairs {
		if !p[0].set {
			*p[0] = *p[1]
		}
	}
	return d
}

func (d declared) String() string {
	var parts []string
	if d.threads.set {
		text := strconv.FormatInt(d.threads.n, 10)
		if d.minBlocks.set {
			text += ", " + strconv.FormatInt(d.minBlocks.n, 10)
		}
		parts = append(parts, text)
	}
	if d.maxnreg.set {
		parts = append(parts, "maxnreg "+strconv.FormatInt(d.maxnreg.n, 10))
	}
	if parts == nil {
		return "no bounds"
	}
	return strings.Join(parts, ", ")
}

// resolve evaluates a declaration in every way that its conditions can come
// out.
func (q *question) resolve(k *Kernel) outcome {
	o := outcome{k: k}
	o.comments = k.notes
	for _, a := range k.attributes() {
		if a.name == "maxnreg" {
			o.maxnregAt = a.pos
		} else {
			o.boundsAt = a.pos
		}
	}
	e := explorer{question: q, k: k}
	r := e.explore(map[*formula]bool{})
	o.possible, o.special, o.d, o.fail, o.dynamic = r.possible, r.special, r.d, r.fail, e.dynamic
	return o
}

// explorer evaluates a declaration in every world that its conditions leave
// open.
type explorer struct {
	*question
	k       *Kernel
	worlds  int
	dynamic bool // in one of them
}

// result is what a declaration says in one world, or in several that agree.
type result struct {
	possible, special bool
	d                 declared
	fail              *failure
}

func (e *explorer) explore(assumed map[*formula]bool) result {
	if e.worlds++; e.worlds > maxWorlds {
		return result{possible: true, fail: failing(e.k.pos, "more than ", strconv.Itoa(maxWorlds), " combinations of conditions")}
	}
	w := &world{target: e.target, known: e.known, assumed: assumed}
	w.assume(e.k.guards)
	var r result
	r.d, r.special, r.possible, r.fail = e.evaluate(e.k, w)
	if r.fail != nil && r.fail.need != nil {
		return e.fork(w, r.fail.need)
	}
	if r.possible {
		for _, g := range e.k.dynamic {
			if ok, f := w.holds([]*guard{g}); ok || f != nil {
				e.dynamic = true
			}
		}
	}
	return r
}

// fork goes on in the two worlds that a condition makes of one.
func (e *explorer) fork(w *world, cond *formula) result {
	var both [2]result
	for i, holds := range []bool{true, false} {
		next := maps.Clone(w.assumed)
		next[cond] = holds
		both[i] = e.explore(next)
	}
	yes, no := both[0], both[1]
	switch {
	case !yes.possible:
		return no
	case !no.possible:
		return yes
	case yes.fail != nil && no.fail == nil:
		yes.fail = yes.fail.unless("if !("+shortText(cond.String())+")", no.d)
		return yes
	case yes.fail != nil:
		return yes
	case no.fail != nil:
		no.fail = no.fail.unless("if "+shortText(cond.String()), yes.d)
		return no
	case yes.d != no.d:
		yes.fail = dependsOn(e.k.attributePos(), cond, yes.d, no.d)
	}
	return yes
}

// unless adds what the bounds are where they can be read, once.
func (f *failure) unless(where string, d declared) *failure {
	if f.hinted {
		return f
	}
	g := failing(f.pos, f.reason, "; ", where, " it is ", d.String())
	g.hinted = true
	return g
}

// evaluate computes a declaration's attributes in one world.
func (q *question) evaluate(k *Kernel, w *world) (d declared, special, possible bool, fail *failure) {
	r := &resolver{world: w, unit: k.unit}
	ok, fail := w.holds(k.guards)
	if fail != nil || !ok {
		return d, false, false, fail
	}
	here := &site{r: r, scope: k.scope, order: k.order}
	if k.template {
		special, possible, fail = q.instantiate(k, here)
		if fail != nil || !possible {
			return d, special, possible, fail
		}
	}
	if fail := k.unreadable(); fail != nil {
		return d, special, true, fail
	}
	for _, a := range k.attributes() {
		if fail := a.read(here, &d); fail != nil {
			return d, special, true, fail
		}
	}
	return d, special, true, nil
}

// read computes one attribute. In "N < 32 ? 1 : 2, M > 4" a comma can seem to
// stand in template arguments: where that makes no sense, it does not.
func (a attribute) read(here *site, d *declared) *failure {
	first := *d
	fail := a.evaluate(here, d)
	if fail == nil || fail.need != nil {
		return fail
	}
	if args := splitPlain(a.all); len(args) != len(a.args) {
		a.args = args
		if other := a.evaluate(here, &first); other == nil || other.need != nil {
			*d = first
			return other
		}
	}
	return fail
}

// evaluate computes one attribute.
func (a attribute) evaluate(here *site, d *declared) *failure {
	read := func(toks []token, least, most int64, into *stated) *failure {
		v, f := evaluate(toks, here, a.pos)
		if f == nil && (v.n < least || v.n > most) {
			f = failing(a.pos, "the value ", strconv.FormatInt(v.n, 10), " is out of range")
		}
		*into = stated{v.n, f == nil}
		return f
	}
	switch a.name {
	case "maxnreg":
		if len(a.args) != 1 {
			return failing(a.pos, "__maxnreg__ takes one number")
		}
		return read(a.args[0], 1, 1<<16, &d.maxnreg)
	case "block_size":
		return a.blockSize(read, d)
	}
	if len(a.args) == 0 || len(a.args) > 3 {
		return failing(a.pos, "launch bounds take one to three numbers")
	}
	for i, into := range []*stated{&d.threads, &d.minBlocks, &d.cluster}[:len(a.args)] {
		least, most := int64(0), int64(1<<16)
		if i == 0 {
			least, most = 1, 1024
		}
		if f := read(a.args[i], least, most, into); f != nil {
			return f
		}
	}
	return nil
}

// blockSize reads __block_size__((x, y, z)), which fixes the block.
func (a attribute) blockSize(read func([]token, int64, int64, *stated) *failure, d *declared) *failure {
	if len(a.args) == 0 {
		return failing(a.pos, "__block_size__ takes the dimensions of a block")
	}
	dims := a.args[0]
	if n := len(dims); n > 1 && dims[0].is("(") && matching(dims, 0) == n-1 {
		dims = dims[1 : n-1]
	}
	product := int64(1)
	for _, dim := range split(dims) {
		var n stated
		if f := read(dim, 1, 1024, &n); f != nil {
			return f
		}
		if product *= n.n; product > 1024 {
			return failing(a.pos, "a block has at most 1024 threads")
		}
	}
	d.threads, d.block = stated{product, true}, stated{product, true}
	return nil
}

// instantiate binds the template parameters, lazily: a kernel whose bounds
// name none of them has one answer for all its instantiations.
func (q *question) instantiate(k *Kernel, here *site) (special, possible bool, fail *failure) {
	if k.spec == nil && !k.needsArguments() {
		return false, true, nil
	}
	in := q.instance()
	if k.spec != nil {
		if len(k.params) > 0 {
			return false, true, failing(k.pos, "a partial specialization of a function is not C++")
		}
		v, f := here.isFor(k.spec, in.args)
		switch {
		case f != nil:
			return false, false, f
		case v == unknown:
			return false, true, failing(k.pos, "whether this specialization is meant is not known")
		}
		return true, v == yes, nil
	}
	vars, fits := bind(k, *in)
	if !fits {
		return false, false, nil
	}
	here.vars = vars
	return false, true, nil
}

// needsArguments reports whether a name in the attributes is a template
// parameter.
func (k *Kernel) needsArguments() bool {
	for _, a := range k.attributes() {
		for _, arg := range a.args {
			for _, t := range arg {
				if t.kind == ident && slices.ContainsFunc(k.params, func(p param) bool { return p.name == t.text }) {
					return true
				}
			}
		}
	}
	return false
}

// unreadable says what about the head itself keeps its bounds from being
// known.
func (k *Kernel) unreadable() *failure {
	switch {
	case k.partial:
		return failing(k.pos, "the declaration has too many forms under its conditions")
	case len(k.bounds) > 1 || len(k.maxnreg) > 1:
		return failing(k.pos, "the declaration has more than one ", k.attributes()[1].text())
	case len(k.attributes()) > 0:
		return nil
	}
	for _, t := range k.hidden {
		return failing(t.pos, t.text, " is not defined in the scanned files, and may stand for launch bounds", k.unit.undefinedNote(t.text))
	}
	return nil
}

func (k *Kernel) attributes() []attribute {
	return append(append(slices.Clone(k.bounds), k.maxnreg...), k.block...)
}

func (a attribute) text() string { return "__" + strings.Trim(a.name, "_") + "__" }

func (k *Kernel) attributePos() pos {
	if all := k.attributes(); len(all) > 0 {
		return all[0].pos
	}
	return k.pos
}
