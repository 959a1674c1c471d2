package source

import (
	"slices"
	"strconv"
)

// bound is one template parameter with its argument: a number, or a type by
// its name.
type bound struct {
	name  string
	value value
	typ   string // of a type that has one name: "float"; empty for numbers
	why   string // why the argument is not known; empty when it is
}

// resolver evaluates in one world.
type resolver struct {
	*world
	unit *unit
}

// site is where an expression stands: what its names mean.
type site struct {
	r     *resolver
	scope *scope
	vars  []bound
	depth int
	order int // what is declared after that many is not seen; 0: all is
}

const (
	maxSteps = 20000
	maxSites = 60 // constants that are defined by others, in a row
)

// inside is the site of what m is made of, which sees what is declared before m.
func (s *site) inside(m *member) *site {
	return &site{r: s.r, scope: m.scope, depth: s.depth + 1, order: m.order}
}

func (s *site) variable(name string) *bound {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return &s.vars[i]
		}
	}
	return nil
}

// qualified is a name as it is written: a::b::c.
type qualified struct {
	toks   []token // the names
	global bool
	extra  string // what is there beside names: "a call", "template arguments"
}

func (q qualified) String() string {
	var names []byte
	for i, t := range q.toks {
		if i > 0 || q.global {
			names = append(names, "::"...)
		}
		names = append(names, t.text...)
	}
	return shortText(string(names))
}

// path reads a qualified name at e's position, and steps over template
// arguments and a call: what those make of the name is not worked out.
func (s *site) path(e *evaluator) qualified {
	var q qualified
	if e.peek().is("::") {
		q.global = true
		e.i++
	}
	for e.i < len(e.toks) {
		t := e.toks[e.i]
		if t.isIdent("typename") || t.isIdent("template") {
			e.i++
			continue
		}
		if t.kind != ident && t.kind != raised {
			break
		}
		e.i++
		q.toks = append(q.toks, t)
		if e.peek().is("<") && s.takesArguments(e, t, len(q.toks) > 1) {
			e.i = angle(e.toks, e.i) + 1
			q.extra = "template arguments"
		}
		if !e.peek().is("::") || e.i+1 >= len(e.toks) {
			break
		}
		e.i++
	}
	if len(q.toks) > 0 && e.peek().is("(") {
		if end := matching(e.toks, e.i); end > 0 {
			q.extra, e.i = "a call", end+1
		}
	}
	return q
}

// takesArguments tells a template argument list from a comparison.
func (s *site) takesArguments(e *evaluator, t token, qualifier bool) bool {
	end := angle(e.toks, e.i)
	if end < 0 {
		return false
	}
	if !qualifier {
		if v := s.variable(t.text); v != nil && v.typ == "" {
			return false
		}
		if all, _ := s.lookup(t); len(all) > 0 {
			return slices.ContainsFunc(all, func(m *member) bool { return m.template || m.kind == aliasMember })
		}
	}
	for _, inner := range e.toks[e.i+1 : end] {
		if inner.is("?") {
			return false
		}
	}
	if end+1 >= len(e.toks) {
		return true
	}
	next := e.toks[end+1]
	return next.kind == punct && next.text != "-" && next.text != "!" && next.text != "~"
}

// name implements names.
func (s *site) name(e *evaluator) (value, *failure) {
	first := e.peek()
	q := s.path(e)
	if len(q.toks) == 0 {
		return value{}, failing(first.pos, strconv.Quote(shortText(first.text)), " is not understood")
	}
	if e.skip > 0 {
		return value{n: 1}, nil
	}
	if s.r.steps++; s.r.steps > maxSteps || s.depth > maxSites {
		return value{}, failing(first.pos, shortText(spell(e.toks)), " takes too many steps")
	}
	return s.valueOf(q)
}

func (s *site) valueOf(q qualified) (value, *failure) {
	first := q.toks[0]
	if len(q.toks) == 1 && !q.global {
		if first.kind == raised {
			return value{}, failing(first.pos, first.text, " is what the build passes with -D, and that is not known")
		}
		if first.text == "__CUDA_ARCH__" && s.r.known {
			return value{n: s.r.target.number, wide: true}, nil
		}
	}
	if v := s.variable(first.text); v != nil && !q.global {
		switch {
		case v.why != "":
			return value{}, failing(first.pos, v.why)
		case v.typ != "" || len(q.toks) > 1:
			return value{}, failing(first.pos, q.String(), " depends on the type ", first.text)
		case q.extra == "":
			return v.value, nil
		}
	}
	if q.extra != "" {
		return value{}, failing(first.pos, q.String(), " is not worked out, since it has ", q.extra)
	}
	all, where, f := s.members(q)
	if f != nil {
		return value{}, f
	}
	last := q.toks[len(q.toks)-1]
	all = slices.DeleteFunc(all, func(m *member) bool { return m.kind != constMember })
	switch {
	case len(all) == 0:
		note := s.r.unit.missingNote()
		if len(q.toks) == 1 {
			note = s.r.unit.undefinedNote(last.text)
		}
		return value{}, failing(last.pos, q.String(), " is not defined in ", where, note)
	case len(all) > 1:
		return value{}, failing(last.pos, q.String(), " is defined more than once: at ", all[0].pos.String(), " and ", all[1].pos.String())
	case all[0].template:
		return value{}, failing(last.pos, q.String(), " is a template")
	}
	return s.constant(all[0])
}

// members finds what a qualified name means, and says where it was looked for.
func (s *site) members(q qualified) ([]*member, string, *failure) {
	n := len(q.toks) - 1
	from := s
	if q.global {
		from = &site{r: s.r, scope: s.r.unit.root, depth: s.depth + 1, order: s.order}
	}
	if n == 0 {
		all, f := from.lookup(q.toks[0])
		return all, "the scanned files", f
	}
	scope, f := from.scopeOf(q.toks[:n])
	if f != nil {
		return nil, "", f
	}
	all, f := s.within(scope, q.toks[n].text, 0)
	return all, qualified{toks: q.toks[:n], global: q.global}.String(), f
}

// constant evaluates a constant or an enumerator.
func (s *site) constant(m *member) (value, *failure) {
	whole := m
	offset := int64(0)
	for m.value == nil && m.previous != nil { // an enumerator counts on
		m = m.previous
		offset++
	}
	if m.value == nil {
		return value{n: offset}, nil
	}
	inner := s.inside(whole)
	v, fail := evaluateDeep(m.value, inner, m.pos, 0)
	if fail != nil {
		return v, fail
	}
	if len(m.typ) > 0 {
		if w, isType, fail := inner.cast(m.typ, v, m.pos); isType {
			v = w
			if fail != nil {
				return v, fail
			}
		} else if notInteger(m.typ) {
			return v, failing(m.pos, m.name, " is no integer")
		}
	}
	v.n += offset
	return v.settle(m.pos)
}
