package source

import (
	"slices"
	"strconv"
	"strings"
)

// formula is a condition of an #if: a tree of and, or and not over atoms.
// Formulas are interned by key in one unit, so that equal ones are one pointer.
type formula struct {
	op   byte // '&', '|', '!', 'a' (atom), 't', 'f'
	args []*formula
	atom *atom
	id   int // its number in the unit
	size int // nodes, each as often as it is reached
}

// atom is a condition that the preprocessor alone can't decide.
type atom struct {
	text string // as people write it
	pos  pos
	// arch is the expression when the architecture alone decides it.
	arch []token
}

var (
	always = &formula{op: 't', id: -1, size: 1}
	never  = &formula{op: 'f', id: -2, size: 1}
)

func constant(b bool) *formula {
	if b {
		return always
	}
	return never
}

// formulas interns the formulas of one unit.
type formulas map[string]*formula

func (fs formulas) intern(key string, f *formula) *formula {
	if old, ok := fs[key]; ok {
		return old
	}
	f.id = len(fs)
	fs[key] = f
	return f
}

// atom returns the atom with this key, made when it is new.
func (fs formulas) atomOf(key, text string, p pos, arch []token) *formula {
	key = "a" + strconv.Quote(key)
	if old, ok := fs[key]; ok {
		return old
	}
	return fs.intern(key, &formula{op: 'a', size: 1, atom: &atom{text: text, pos: p, arch: arch}})
}

func (fs formulas) not(f *formula) *formula {
	switch f.op {
	case 't':
		return never
	case 'f':
		return always
	case '!':
		return f.args[0]
	}
	return fs.intern("!"+strconv.Itoa(f.id), &formula{op: '!', args: []*formula{f}, size: f.size + 1})
}

func (fs formulas) and(args ...*formula) *formula { return fs.join('&', always, never, args) }

func (fs formulas) or(args ...*formula) *formula { return fs.join('|', never, always, args) }

// join builds an and or an or: neutral operands fall out, an absorbing one
// decides.
func (fs formulas) join(op byte, neutral, absorbing *formula, args []*formula) *formula {
	var kept []*formula
	for _, a := range args {
		switch {
		case a == absorbing:
			return absorbing
		case a == neutral || slices.Contains(kept, a):
		case slices.Contains(kept, fs.not(a)):
			return absorbing
		default:
			kept = append(kept, a)
		}
	}
	switch len(kept) {
	case 0:
		return neutral
	case 1:
		return kept[0]
	}
	key := []byte{op}
	size := 1
	for _, a := range kept {
		key = append(strconv.AppendInt(key, int64(a.id), 10), ' ')
		size += a.size
	}
	if size > maxCondition {
		// A condition this long is nobody's; as an atom it stays undecided.
		return fs.atomOf(string(key), "a very long condition", kept[0].place(), nil)
	}
	return fs.intern(string(key), &formula{op: op, args: kept, size: size})
}

// maxCondition is the longest condition that is taken apart, in nodes.
const maxCondition = 400

func (f *formula) place() pos {
	if f.op == 'a' {
		return f.atom.pos
	}
	if len(f.args) > 0 {
		return f.args[0].place()
	}
	return pos{}
}

// String says the condition in words that people can find in the source.
func (f *formula) String() string {
	switch f.op {
	case 'a':
		return f.atom.text
	case '!':
		return "!(" + f.args[0].String() + ")"
	case 't':
		return "1"
	case 'f':
		return "0"
	}
	parts := make([]string, len(f.args))
	for i, a := range f.args {
		parts[i] = a.String()
	}
	return "(" + strings.Join(parts, " "+strings.Repeat(string(f.op), 2)+" ") + ")"
}

// short is a text that no other formula of the unit has: what a long one says
// is of no use to people, and would be written for each condition that is made
// of it.
func (f *formula) short() string {
	if f.size > 8 {
		return "condition " + strconv.Itoa(f.id)
	}
	return f.String()
}

// verdict is true, false or not known.
type verdict int8

const (
	unknown verdict = iota
	yes
	no
)

func verdictOf(b bool) verdict {
	if b {
		return yes
	}
	return no
}

func (v verdict) not() verdict {
	switch v {
	case yes:
		return no
	case no:
		return yes
	default:
		return unknown
	}
}

// eval decides f when decide knows enough of its parts. decide is asked for
// every node, the outermost first.
func (f *formula) eval(decide func(*formula) verdict) verdict {
	switch f.op {
	case 't':
		return yes
	case 'f':
		return no
	}
	if v := decide(f); v != unknown {
		return v
	}
	switch f.op {
	case '!':
		return f.args[0].eval(decide).not()
	case '&', '|':
		stop, all := no, yes
		if f.op == '|' {
			stop, all = yes, no
		}
		for _, a := range f.args {
			switch a.eval(decide) {
			case stop:
				return stop
			case unknown:
				all = unknown
			default:
			}
		}
		return all
	}
	return unknown
}

// guard is what holds at a place of a file: a chain of conditions, the
// innermost first. The nil guard holds always. Guards are never changed.
type guard struct {
	parent *guard
	f      *formula
	want   bool
}

// under adds a condition to g, cut into its parts where each of them must
// hold.
func (g *guard) under(f *formula, want bool) *guard {
	switch {
	case f.op == '!':
		return g.under(f.args[0], !want)
	case f.op == '&' && want, f.op == '|' && !want:
		for _, a := range f.args {
			g = g.under(a, want)
		}
		return g
	case f.op == 't' && want, f.op == 'f' && !want:
		return g
	}
	return &guard{parent: g, f: f, want: want}
}

// decide says what g makes of one node of a formula.
func (g *guard) decide(f *formula) verdict {
	for ; g != nil; g = g.parent {
		if g.f == f {
			return verdictOf(g.want)
		}
	}
	return unknown
}

// implies says whether other holds wherever g does: yes, never, or it depends.
func (g *guard) implies(other *guard) verdict {
	result := yes
	for o := other; o != nil && !g.within(o); o = o.parent {
		v := o.f.eval(g.decide)
		if !o.want {
			v = v.not()
		}
		if v == no {
			return no
		}
		if v == unknown {
			result = unknown
		}
	}
	return result
}

// within reports whether g is other or was made from it.
func (g *guard) within(other *guard) bool {
	for ; g != nil; g = g.parent {
		if g == other {
			return true
		}
	}
	return false
}

// formula is g as one condition, as far as outer does not say it already.
func (g *guard) formula(fs formulas, outer *guard) *formula {
	var parts []*formula
	for ; g != nil && !outer.within(g); g = g.parent {
		f := g.f
		if !g.want {
			f = fs.not(f)
		}
		parts = append(parts, f)
	}
	slices.Reverse(parts)
	return fs.and(parts...)
}
