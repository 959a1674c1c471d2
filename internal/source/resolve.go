package source

import (
	"slices"
	"strconv"
)

// bound is one template parameter with its argument.
type bound struct {
	name   string
	value  value
	typ    *typeRef // of type parameters
	why    string   // why the argument is not known; empty when it is
	kernel bool     // a parameter of the kernel itself
}

// typeRef is a type: a class of the project with its template arguments, or
// one that is known by its name alone.
type typeRef struct {
	scope *scope
	vars  []bound
	name  string // without a scope: "float"

	constant, volatile bool
	reference          bool // & or && stood behind it; only what is referred to is kept
}

// resolver evaluates in one world.
type resolver struct {
	*world
	unit      *unit
	usedParam bool // a template parameter of the kernel was asked for
}

// site is where an expression stands: what its names mean.
type site struct {
	r     *resolver
	scope *scope
	vars  []bound
	depth int
	order int  // what is declared after that many is not seen; 0: all is
	whole bool // in a function's body: all of the class around it is seen
}

// found is a member and what the template parameters around it stand for.
type found struct {
	m    *member
	vars []bound
}

const (
	maxSteps = 20000
	maxSites = 60 // constants that are defined by others, in a row
)

func (s *site) at(scope *scope, vars []bound) *site {
	return &site{r: s.r, scope: scope, vars: vars, depth: s.depth + 1, order: s.order, whole: s.whole}
}

// inside is the site of what m is made of, which sees what is declared before m.
func (s *site) inside(m *member, vars []bound) *site {
	at := s.at(m.scope, vars)
	at.order, at.whole = m.order, m.kind == functionMember
	return at
}

func (s *site) variable(name string) *bound {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			if s.vars[i].kernel {
				s.r.usedParam = true
			}
			return &s.vars[i]
		}
	}
	return nil
}

// name implements names.
func (s *site) name(e *evaluator) (value, *failure) {
	first := e.peek()
	steps, global := s.path(e)
	if len(steps) == 0 {
		return value{}, failing(first.pos, strconv.Quote(shortText(first.text)), " is not understood")
	}
	var call [][]token
	called := false
	if e.peek().is("(") {
		end := matching(e.toks, e.i)
		if end < 0 {
			return value{}, failing(first.pos, "a bracket is not closed")
		}
		called = true
		if end > e.i+1 {
			call = split(e.toks[e.i+1 : end])
		}
		e.i = end + 1
	}
	if e.skip > 0 {
		return value{n: 1}, nil
	}
	if s.r.steps++; s.r.steps > maxSteps || s.depth > maxSites {
		return value{}, failing(first.pos, shortText(spell(e.toks)), " takes too many steps")
	}
	return s.valueOf(steps, global, called, call)
}

func (s *site) valueOf(steps []step, global, called bool, call [][]token) (value, *failure) {
	last := steps[len(steps)-1]
	if len(steps) == 1 && !global {
		if last.tok.kind == raised {
			return value{}, failing(last.tok.pos, last.tok.text, " is what the build passes with -D, and that is not known")
		}
		if last.tok.text == "__CUDA_ARCH__" && s.r.known {
			return value{n: s.r.target.number, wide: true}, nil
		}
		if v := s.variable(last.tok.text); v != nil {
			if v.why != "" {
				return value{}, failing(last.tok.pos, v.why)
			}
			if v.typ != nil {
				return value{}, failing(last.tok.pos, last.tok.text, " is a type")
			}
			return v.value, nil
		}
	}
	if v, ok, f := s.standard(steps, called, call); ok || f != nil {
		return v, f
	}
	all, where, f := s.members(steps, global)
	if f != nil {
		return value{}, f
	}
	if called {
		return s.call(all, last, call)
	}
	all = slices.DeleteFunc(all, func(f found) bool { return f.m.kind != constMember })
	switch {
	case len(all) == 0:
		return value{}, failing(last.tok.pos, spellSteps(steps), " is not defined in ", where, s.r.unit.missingNote())
	case len(all) > 1 && !sameMember(all):
		return value{}, failing(last.tok.pos, spellSteps(steps), " is defined more than once: at ", all[0].m.pos.String(), " and ", all[1].m.pos.String())
	}
	return s.constant(all[0], last)
}

func sameMember(all []found) bool {
	for _, f := range all[1:] {
		if f.m != all[0].m {
			return false
		}
	}
	return true
}

// members finds what a qualified name means, and says where it was looked for.
func (s *site) members(steps []step, global bool) ([]found, string, *failure) {
	last := steps[len(steps)-1].tok.text
	if len(steps) == 1 {
		from := s
		if global {
			from = s.at(s.r.unit.root, nil)
		}
		all, f := from.lookup(last)
		return all, "the scanned files", f
	}
	scope, vars, f := s.qualifier(steps[:len(steps)-1], global)
	if f != nil {
		return nil, "", f
	}
	all, f := s.within(scope, vars, last, 0)
	return all, spellSteps(steps[:len(steps)-1]), f
}

// qualifier resolves the part before the last ::.
func (s *site) qualifier(steps []step, global bool) (*scope, []bound, *failure) {
	first := steps[0]
	if global || len(steps) > 1 || first.args == nil {
		// A namespace can only stand at the front.
		at := s.namespaceOf(s.start(global), []string{first.tok.text})
		if at != nil && s.variable(first.tok.text) == nil {
			for i, st := range steps[1:] {
				inner := innerNamespace(at, st.tok.text)
				if inner == nil {
					return s.classIn(at, steps[i+1:])
				}
				at = inner
			}
			return at, nil, nil
		}
	}
	t, f := s.typeOfSteps(steps, global)
	if f != nil {
		return nil, nil, f
	}
	if t.scope == nil {
		return nil, nil, failing(first.tok.pos, t.name, " is not defined in the scanned files", s.r.unit.missingNote())
	}
	return t.scope, t.vars, nil
}

func (s *site) start(global bool) *scope {
	if global {
		return s.r.unit.root
	}
	return s.scope
}

func (s *site) classIn(at *scope, steps []step) (*scope, []bound, *failure) {
	inner := &site{r: s.r, scope: at, depth: s.depth + 1}
	t, f := s.typeFrom(inner, steps)
	if f != nil {
		return nil, nil, f
	}
	if t.scope == nil {
		return nil, nil, failing(steps[0].tok.pos, spellSteps(steps), " is not defined in the scanned files", s.r.unit.missingNote())
	}
	return t.scope, t.vars, nil
}

// constant evaluates a constant or an enumerator.
func (s *site) constant(f found, st step) (value, *failure) {
	m := f.m
	if fail := s.r.unit.specialized(m, st.tok.pos); fail != nil {
		return value{}, fail
	}
	vars := f.vars
	if m.params != nil {
		args, fail := s.arguments(m.params, st.args, st.tok.pos)
		if fail != nil {
			return value{}, fail
		}
		vars = append(vars[:len(vars):len(vars)], args...)
	}
	offset := int64(0)
	for m.value == nil && m.previous != nil { // an enumerator counts on
		m = m.previous
		offset++
	}
	if m.value == nil {
		return value{n: offset}, nil
	}
	inner := s.inside(f.m, vars)
	v, fail := evaluateDeep(m.value, inner, m.pos, 0)
	if fail != nil {
		return v, fail
	}
	if len(m.typ) > 0 {
		if w, isType, fail := inner.cast(integerType(m.typ), v, m.pos); isType {
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
