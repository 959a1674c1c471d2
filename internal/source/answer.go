package source

import (
	"slices"

	"github.com/occlint/occlint/parse"
)

// Answer is what the sources declare for one kernel of a log on one
// architecture. The zero Answer: the kernel is not in the sources.
type Answer struct {
	Name string // as the source has it: "lin::saxpy"; empty when not found
	// Place is where the kernel stands: the first place, where several files
	// have a kernel of this name that declares the same. It is not known where
	// they do not.
	Place parse.Place

	// Threads is the most threads per block, 0 where none are declared, and
	// MinBlocks the fewest blocks per SM, 0 where none.
	Threads, MinBlocks int
	Cluster            int // blocks per cluster, 0 where none are declared
	Bounds             parse.Place
	BoundsText         string // "__launch_bounds__(256, 4)" as written

	// Block is the number of threads of every block, where __block_size__
	// fixes it; 0 elsewhere.
	Block int

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

	// Comments has one entry for each kernel of the sources that the log's can
	// be, nil where none of them has comments. What is declared for one kernel
	// at several places is in one entry.
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
	all, hidden := p.cABI[y.key], false
	if !y.c {
		all, hidden = p.named(y.key)
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
	q := &question{project: p, mangled: mangled, symbol: y}
	q.target, q.known = parseTarget(arch)
	a := q.answer(all)
	if hidden && a.Name != "" {
		a = hide(a, y.key)
	}
	if !q.asked {
		p.cache[key] = a
	}
	return a
}

// hide is the answer for a kernel that is the log's only if the build calls a
// namespace as the log does.
func hide(a Answer, key string) Answer {
	if a.Threads == 0 && a.MaxRegisters == 0 && a.Unresolved == "" {
		return a
	}
	at, text := a.Bounds, a.BoundsText
	if a.Unresolved != "" {
		at, text = a.UnresolvedAt, a.UnresolvedText
	} else if a.Threads == 0 {
		at, text = a.MaxRegPlace, a.MaxRegText
	}
	return Answer{
		Name: a.Name, Place: a.Place, DynamicShared: a.DynamicShared, Comments: a.Comments,
		Unresolved:   "whether it is " + shortText(key) + " hangs on a macro that names a namespace around it, and that only the build knows",
		UnresolvedAt: at, UnresolvedText: text,
	}
}

// question is one kernel of a log that is looked for.
type question struct {
	project *Project
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
		last := &q.project.last
		if last.mangled != q.mangled {
			in, ok := readInstance(q.mangled)
			if !ok {
				in.arity = -1
			}
			last.mangled, last.instance = q.mangled, in
		}
		q.in = &last.instance
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
	if in := q.instance(); in.arity >= 0 && q.symbol.templated {
		// A mangled name has all arguments, defaults too, and a pack as one.
		keep(func(k *Kernel) bool {
			_, fits := bind(k, *in)
			return k.spec != nil || fits
		})
	}
	if arity := q.instance().arity; arity >= 0 {
		keep(func(k *Kernel) bool {
			return hasPack(k) || (k.arity < 0 || k.arity == arity) && !excludes(k.types, q.instance().types)
		})
	}
	return all
}

func hasPack(k *Kernel) bool {
	return slices.ContainsFunc(k.params, func(p param) bool { return p.pack })
}

// differ reports whether the declarations could mean different kernels.
func differ(all []*Kernel) bool {
	for _, k := range all[1:] {
		if k.arity != all[0].arity || k.spec != nil || all[0].spec != nil || !slices.Equal(k.types, all[0].types) || len(k.params) != len(all[0].params) {
			return true
		}
	}
	return false
}
