package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

// Answer is what the sources declare for one kernel of a log on one
// architecture. The zero Answer: the kernel is not in the sources.
type Answer struct {
	Name  string      // as the source has it: "lin::saxpy"; empty when not found
	Place parse.Place // of the kernel

	// Threads is the most threads per block, 0 where none are declared, and
	// MinBlocks the fewest blocks per SM, 0 where none.
	Threads, MinBlocks int
	Cluster            int // blocks per cluster, 0 where none are declared
	Bounds             parse.Place
	BoundsText         string // "__launch_bounds__(256, 4)" as written

	MaxRegisters int // __maxnreg__, 0 where it is not declared
	MaxRegPlace  parse.Place
	MaxRegText   string

	// DynamicShared says that the kernel touches `extern __shared__` memory.
	DynamicShared bool

	// Unresolved says why something that is declared could not be read;
	// empty when all is known.
	Unresolved     string
	UnresolvedAt   parse.Place
	UnresolvedText string

	// Comments of the kernel, nil where it has none.
	Comments []*Comments
}

type cacheKey struct{ key, stem, arch string }

// maxWorlds bounds in how many ways the conditions of one kernel can come out.
const maxWorlds = 64

// Find returns what the sources declare for a kernel of a log.
func (p *Project) Find(mangled, arch string) Answer {
	y, ok := readSymbol(mangled)
	if !ok {
		return Answer{}
	}
	all := p.index[y.key]
	if y.c {
		all = p.cABI[y.key]
	}
	if len(all) == 0 {
		return Answer{}
	}
	if y.templated {
		// Template arguments count only where the bounds ask for them; the
		// cache holds answers that they do not change.
		y.key += "<>"
	}
	key := cacheKey{y.key, y.stem, arch}
	if a, ok := p.cache[key]; ok {
		return a
	}
	q := &question{mangled: mangled, symbol: y}
	q.target, q.known = parseTarget(arch)
	a := q.answer(all)
	if !q.asked {
		p.cache[key] = a
	}
	return a
}

// question is one kernel of a log that is looked for.
type question struct {
	mangled string
	symbol  symbol
	target  target
	known   bool
	in      *instance
	asked   bool // the answer depends on more than the qualified name
}

func (q *question) instance() *instance {
	q.asked = true
	if q.in == nil {
		in, ok := readInstance(q.mangled)
		if !ok {
			in.arity = -1
		}
		q.in = &in
	}
	return q.in
}

// answer chooses among the declarations of one name.
func (q *question) answer(all []*Kernel) Answer {
	all = q.candidates(all)
	if len(all) == 0 {
		return Answer{}
	}
	var outcomes []outcome
	for _, k := range all {
		if o := q.resolve(k); o.possible {
			outcomes = append(outcomes, o)
		}
	}
	return q.choose(outcomes)
}

// candidates drops the declarations that can't be the log's kernel.
func (q *question) candidates(all []*Kernel) []*Kernel {
	keep := func(ok func(*Kernel) bool) {
		all = slices.DeleteFunc(slices.Clone(all), func(k *Kernel) bool { return !ok(k) })
	}
	keep(func(k *Kernel) bool { return k.template == q.symbol.templated })
	if q.symbol.stem != "" {
		inFile := func(k *Kernel) bool { return k.internal && stem(k.unit.path) == q.symbol.stem }
		if !slices.ContainsFunc(all, inFile) {
			// The file is not among the sources; the kernel may be in a header
			// that it includes.
			inFile = func(k *Kernel) bool { return k.internal && isHeader(k.unit.path) }
		}
		keep(inFile)
	}
	if len(all) < 2 || !differ(all) {
		return all
	}
	// Overloads and specializations: only the whole name tells them apart.
	if arity := q.instance().arity; arity >= 0 {
		keep(func(k *Kernel) bool { return k.arity < 0 || k.arity == arity || hasPack(k) })
	}
	return all
}

func hasPack(k *Kernel) bool {
	return slices.ContainsFunc(k.params, func(p param) bool { return p.pack })
}

// differ reports whether the declarations could mean different kernels.
func differ(all []*Kernel) bool {
	for _, k := range all[1:] {
		if k.arity != all[0].arity || k.spec != nil || all[0].spec != nil || len(k.params) != len(all[0].params) {
			return true
		}
	}
	return false
}

// outcome is what one declaration says.
type outcome struct {
	k        *Kernel
	possible bool // it can be the kernel of the log
	special  bool // it is a specialization for the log's arguments
	d        declared
	fail     *failure
	dynamic  bool
	doubt    []*formula // conditions that it depends on
}

// declared is what the attributes of one declaration come to.
type declared struct {
	threads, minBlocks, cluster, maxnreg int64
}

// resolve evaluates a declaration in every way that its conditions can come
// out.
func (q *question) resolve(k *Kernel) outcome {
	o := outcome{k: k}
	first := true
	worlds := 0
	var try func(assumed map[*formula]bool)
	try = func(assumed map[*formula]bool) {
		if worlds++; worlds > maxWorlds {
			o.fail = failing(k.pos, "more than ", strconv.Itoa(maxWorlds), " combinations of conditions")
			o.possible = true
			return
		}
		w := &world{target: q.target, known: q.known, assumed: assumed}
		w.assume(k.guards)
		d, special, possible, fail := q.evaluate(k, w)
		if fail != nil && fail.need != nil {
			if !slices.Contains(o.doubt, fail.need) {
				o.doubt = append(o.doubt, fail.need)
			}
			for _, v := range []bool{true, false} {
				next := map[*formula]bool{fail.need: v}
				for f, was := range w.assumed {
					next[f] = was
				}
				try(next)
			}
			return
		}
		if !possible {
			return
		}
		o.possible, o.special = true, special
		switch {
		case fail != nil:
			o.fail = fail
		case first:
			o.d, first = d, false
		case o.d != d && o.fail == nil:
			o.fail = failing(k.attributePos(), "it depends on a condition")
			if len(o.doubt) > 0 {
				f := o.doubt[0]
				o.fail = failing(k.attributePos(), "it depends on ", strconv.Quote(shortText(f.String())), " at ", f.place().String(), ", which is not known: ", o.d.String(), " or ", d.String())
			}
		}
		for _, u := range k.dynamic {
			if ok, f := w.holds([]*guard{u.guard}); ok || f != nil {
				o.dynamic = true
			}
		}
	}
	try(map[*formula]bool{})
	return o
}

func (d declared) String() string {
	if d.maxnreg > 0 {
		return "maxnreg " + strconv.FormatInt(d.maxnreg, 10)
	}
	switch {
	case d.threads == 0:
		return "no bounds"
	case d.minBlocks == 0:
		return strconv.FormatInt(d.threads, 10)
	}
	return fmt.Sprintf("%d, %d", d.threads, d.minBlocks)
}

// evaluate computes a declaration's attributes in one world.
func (q *question) evaluate(k *Kernel, w *world) (d declared, special, possible bool, fail *failure) {
	r := &resolver{world: w, unit: k.unit}
	ok, fail := w.holds(k.guards)
	if fail != nil || !ok {
		return d, false, false, fail
	}
	here := &site{r: r, scope: k.scope}
	if k.template {
		special, possible, fail = q.instantiate(k, here)
		if fail != nil || !possible {
			return d, special, possible, fail
		}
	}
	if fail := k.unreadable(); fail != nil {
		return d, special, true, fail
	}
	for _, a := range k.bounds {
		limits := [3]int64{1024, 1 << 16, 1 << 16}
		into := [3]*int64{&d.threads, &d.minBlocks, &d.cluster}
		if len(a.args) == 0 || len(a.args) > 3 {
			return d, special, true, failing(a.pos, "launch bounds take one to three numbers")
		}
		for i, arg := range a.args {
			v, f := evaluate(arg, here, a.pos)
			if f != nil {
				return d, special, true, f
			}
			least := int64(0)
			if i == 0 {
				least = 1
			}
			if v.n < least || v.n > limits[i] {
				return d, special, true, failing(a.pos, "the value ", strconv.FormatInt(v.n, 10), " is out of range")
			}
			*into[i] = v.n
		}
	}
	for _, a := range k.maxnreg {
		if len(a.args) != 1 {
			return d, special, true, failing(a.pos, "__maxnreg__ takes one number")
		}
		v, f := evaluate(a.args[0], here, a.pos)
		if f != nil {
			return d, special, true, f
		}
		if v.n < 1 || v.n > 1<<16 {
			return d, special, true, failing(a.pos, "the value ", strconv.FormatInt(v.n, 10), " is out of range")
		}
		d.maxnreg = v.n
	}
	return d, special, true, nil
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
		want, f := here.loose(k.spec)
		if f != nil {
			if f.need != nil {
				return false, false, f
			}
			return false, true, f
		}
		result := yes
		for i, b := range want {
			if i >= len(in.args) {
				return false, true, failing(k.pos, "the arguments of this specialization are not all written")
			}
			switch same(b, here.fromTree(in.args[i])) {
			case no:
				return false, false, nil
			case unknown:
				result = unknown
			}
		}
		if result == unknown || len(want) != len(in.args) {
			return false, true, failing(k.pos, "whether this specialization is meant is not known")
		}
		return true, true, nil
	}
	vars, fits := here.bind(k, *in)
	if !fits {
		return false, false, nil
	}
	here.vars = vars
	return false, true, nil
}

// needsArguments reports whether a name in the attributes is a template
// parameter.
func (k *Kernel) needsArguments() bool {
	for _, list := range [][]attribute{k.bounds, k.maxnreg} {
		for _, a := range list {
			for _, arg := range a.args {
				for _, t := range arg {
					if t.kind == ident && slices.ContainsFunc(k.params, func(p param) bool { return p.name == t.text }) {
						return true
					}
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
	case len(k.bounds) > 0 || len(k.maxnreg) > 0:
		return nil
	}
	for _, t := range k.hidden {
		if t.text == "__block_size__" {
			return failing(t.pos, "__block_size__ is not understood")
		}
		return failing(t.pos, t.text, " is not defined in the scanned files, and may stand for launch bounds", k.unit.missingNote())
	}
	return nil
}

func (k *Kernel) attributes() []attribute { return append(slices.Clone(k.bounds), k.maxnreg...) }

func (a attribute) text() string { return "__" + strings.Trim(a.name, "_") + "__" }

func (k *Kernel) attributePos() pos {
	if all := k.attributes(); len(all) > 0 {
		return all[0].pos
	}
	return k.pos
}

// choose makes one answer of all declarations: the definition counts, what a
// declaration without a body says is added, and what contradicts is not
// resolved.
func (q *question) choose(all []outcome) Answer {
	if slices.ContainsFunc(all, func(o outcome) bool { return o.special && o.fail == nil }) {
		all = slices.DeleteFunc(all, func(o outcome) bool { return !o.special })
	}
	if len(all) == 0 {
		return Answer{}
	}
	best := 0
	for i, o := range all {
		if rank(o) > rank(all[best]) {
			best = i
		}
	}
	main := all[best]
	for _, o := range all {
		main.dynamic = main.dynamic || o.dynamic
		if o.k.pos == main.k.pos && o.k.pos.file == main.k.pos.file && o.d == main.d && (o.fail == nil) == (main.fail == nil) {
			continue
		}
		if main.fail != nil {
			break
		}
		if o.fail != nil {
			main.fail = o.fail
			break
		}
		// A declaration that says nothing adds nothing.
		if o.d == (declared{}) && !o.k.Definition {
			continue
		}
		if o.d != main.d {
			if f := exclusive(o.k.guards, main.k.guards); f != nil {
				main.fail = failing(main.k.attributePos(), "it depends on ", strconv.Quote(shortText(f.String())), " at ", f.place().String(), ", which is not known: ", o.d.String(), " or ", main.d.String())
				continue
			}
			a, b := o, main
			if before(b.k.pos, a.k.pos) {
				a, b = b, a
			}
			main.fail = failing(main.k.attributePos(), "it is declared differently at ", a.k.pos.String(), " (", a.d.String(), ") and at ", b.k.pos.String(), " (", b.d.String(), ")")
		}
	}
	return main.answer(all)
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

// rank orders declarations: those with bounds first, then definitions.
func rank(o outcome) int {
	n := 0
	if o.k.Definition {
		n++
	}
	if len(o.k.bounds)+len(o.k.maxnreg) > 0 {
		n += 2
	}
	return n
}

func (o outcome) answer(all []outcome) Answer {
	a := Answer{Name: o.k.Name, Place: o.k.pos.place(), DynamicShared: o.dynamic}
	for _, other := range all {
		if other.k.Definition && !o.k.Definition {
			a.Place = other.k.pos.place()
		}
		if other.k.notes != nil && !slices.Contains(a.Comments, other.k.notes) {
			a.Comments = append(a.Comments, other.k.notes)
		}
	}
	at := o.k.attributePos()
	if o.fail != nil {
		a.Unresolved, a.UnresolvedAt, a.UnresolvedText = o.fail.reason, at.place(), ""
		if len(o.k.attributes()) > 0 {
			a.UnresolvedText = at.written()
		} else if len(o.k.hidden) > 0 {
			a.UnresolvedAt, a.UnresolvedText = o.k.hidden[0].pos.place(), o.k.hidden[0].pos.written()
		}
		return a
	}
	if o.d.threads > 0 {
		p := o.k.bounds[0].pos
		a.Threads, a.MinBlocks, a.Cluster = int(o.d.threads), int(o.d.minBlocks), int(o.d.cluster)
		a.Bounds, a.BoundsText = p.place(), p.written()
	}
	if o.d.maxnreg > 0 {
		p := o.k.maxnreg[0].pos
		a.MaxRegisters, a.MaxRegPlace, a.MaxRegText = int(o.d.maxnreg), p.place(), p.written()
	}
	return a
}
