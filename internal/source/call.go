package source

import "strconv"

// arguments binds template parameters to arguments, with defaults.
func (s *site) arguments(params []param, toks []token, at pos) ([]bound, *failure) {
	if len(params) == 0 {
		return nil, nil
	}
	var given [][]token
	if len(toks) > 0 {
		given = split(toks)
	}
	vars := make([]bound, 0, len(params))
	for i, p := range params {
		if p.pack {
			vars = append(vars, bound{name: p.name, why: "the parameter pack " + p.name + " is not understood"})
			continue
		}
		var b bound
		var f *failure
		switch {
		case i < len(given):
			b, f = s.argument(p, given[i])
		case p.fallback != nil:
			b, f = s.at(s.scope, append(s.vars[:len(s.vars):len(s.vars)], vars...)).argument(p, p.fallback)
		default:
			f = failing(at, "the template argument ", p.name, " is not known")
		}
		if f != nil {
			if f.need != nil {
				return nil, f
			}
			b = bound{why: f.reason} // it may not be asked for
		}
		b.name = p.name
		vars = append(vars, b)
	}
	return vars, nil
}

// argument reads one template argument: a type or a value.
func (s *site) argument(p param, toks []token) (bound, *failure) {
	if len(toks) == 0 {
		return bound{}, failing(pos{}, "a template argument is missing")
	}
	if !p.isType {
		v, f := evaluateDeep(toks, s, toks[0].pos, 0)
		if f == nil || f.need != nil {
			return bound{value: v}, f
		}
		if t, tf := s.typeOf(toks); tf == nil && (t.scope != nil || t.definite()) {
			return bound{typ: t}, nil
		}
		return bound{}, f
	}
	t, f := s.typeOf(toks)
	if f != nil {
		return bound{}, f
	}
	return bound{typ: t}, nil
}

// call evaluates a constexpr function.
func (s *site) call(all []found, st step, args [][]token) (value, *failure) {
	var fits []found
	seen := false
	for _, f := range all {
		if f.m.kind != functionMember {
			continue
		}
		seen = true
		if len(f.m.args) == len(args) {
			fits = append(fits, f)
		}
	}
	switch {
	case !seen:
		return value{}, failing(st.tok.pos, st.tok.text, " is not a constexpr function of the scanned files", s.r.unit.missingNote())
	case len(fits) == 0:
		return value{}, failing(st.tok.pos, st.tok.text, " is called with ", strconv.Itoa(len(args)), " arguments, and no such function was found")
	case len(fits) > 1 && !sameMember(fits):
		return value{}, failing(st.tok.pos, st.tok.text, " is overloaded: at ", fits[0].m.pos.String(), " and ", fits[1].m.pos.String())
	}
	f := fits[0]
	if f.m.value == nil {
		return value{}, failing(st.tok.pos, "the body of ", st.tok.text, " is empty or too long")
	}
	if fail := s.r.unit.specialized(f.m, st.tok.pos); fail != nil {
		return value{}, fail
	}
	vars := f.vars[:len(f.vars):len(f.vars)]
	if f.m.params != nil {
		more, fail := s.arguments(f.m.params, st.args, st.tok.pos)
		if fail != nil {
			return value{}, fail
		}
		vars = append(vars, more...)
	}
	for i, a := range args {
		v, fail := evaluateDeep(a, s, st.tok.pos, 0)
		if fail != nil {
			return value{}, fail
		}
		if f.m.args[i] == "" {
			continue
		}
		if v, fail = s.inside(f.m, vars).converted(f.m.argTypes[i], v, st.tok.pos); fail != nil {
			return value{}, fail
		}
		vars = append(vars, bound{name: f.m.args[i], value: v})
	}
	v, fail := s.runBody(f.m, vars)
	if fail != nil {
		return v, fail
	}
	return s.inside(f.m, vars).converted(f.m.typ, v, st.tok.pos)
}

// standard knows the few functions and values of the standard library that
// launch bounds are computed with.
func (s *site) standard(steps []step, called bool, call [][]token) (value, bool, *failure) {
	last := steps[len(steps)-1]
	for _, st := range steps[:len(steps)-1] {
		switch st.tok.text {
		case "std", "cuda":
		case "is_same":
			if last.tok.text == "value" && len(steps) > 1 {
				return s.isSame(st)
			}
			return value{}, false, nil
		default:
			return value{}, false, nil
		}
	}
	switch last.tok.text {
	case "is_same_v":
		return s.isSame(last)
	case "min", "max":
		if !called || len(call) != 2 {
			return value{}, false, nil
		}
		if all, f := s.lookup(last.tok.text); f != nil || len(steps) == 1 && len(all) > 0 {
			return value{}, false, f // the project's own
		}
		a, f := evaluateDeep(call[0], s, last.tok.pos, 0)
		if f != nil {
			return a, true, f
		}
		b, f := evaluateDeep(call[1], s, last.tok.pos, 0)
		if f != nil {
			return b, true, f
		}
		if (a.n < b.n) == (last.tok.text == "min") {
			return a, true, nil
		}
		return b, true, nil
	}
	return value{}, false, nil
}

func (s *site) isSame(st step) (value, bool, *failure) {
	args, f := s.loose(st.args)
	if f != nil {
		return value{}, true, f
	}
	if len(args) != 2 {
		return value{}, false, nil
	}
	switch same(args[0], args[1]) {
	case yes:
		return truth(true), true, nil
	case no:
		return truth(false), true, nil
	default:
	}
	return value{}, true, failing(st.tok.pos, "whether ", shortText(spell(st.args)), " are the same type is not known")
}

// standardType knows std::conditional.
func (s *site) standardType(steps []step) (*typeRef, bool, *failure) {
	n := 0
	for n < len(steps) && (steps[n].tok.text == "std" || steps[n].tok.text == "cuda") {
		n++
	}
	if n == 0 || n >= len(steps) {
		return nil, false, nil
	}
	st := steps[n]
	short := st.tok.text == "conditional_t" && n == len(steps)-1
	long := st.tok.text == "conditional" && n == len(steps)-2 && steps[n+1].tok.text == "type"
	if !short && !long {
		return nil, false, nil
	}
	args := split(st.args)
	if len(args) != 3 {
		return nil, false, nil
	}
	v, f := evaluateDeep(args[0], s, st.tok.pos, 0)
	if f != nil {
		return nil, true, f
	}
	chosen := args[1]
	if v.n == 0 {
		chosen = args[2]
	}
	t, f := s.typeOf(chosen)
	return t, true, f
}
