package source

import "slices"

// function is the body of a constexpr function that is being run: return, if,
// switch, blocks, and local variables. Loops are not run.
type function struct {
	site   *site // its variables are those of the function
	broken bool  // a break ended the last statement
}

// runBody returns the value that a function's body returns.
func (s *site) runBody(m *member, vars []bound) (value, *failure) {
	f := &function{site: s.inside(m, slices.Clone(vars))}
	toks, fail := s.r.compiled(m.value)
	if fail != nil {
		return value{}, fail
	}
	v, done, fail := f.block(toks)
	switch {
	case fail != nil:
		return v, fail
	case !done:
		return v, failing(m.pos, m.name, " ends without a return")
	}
	return v, nil
}

// compiled drops the text whose conditions do not hold in this world.
func (w *world) compiled(toks []token) ([]token, *failure) {
	if !slices.ContainsFunc(toks, token.isMark) {
		return toks, nil
	}
	out := make([]token, 0, len(toks))
	counts := true
	for _, t := range toks {
		if !t.isMark() {
			if counts {
				out = append(out, t)
			}
			continue
		}
		var fail *failure
		if counts, fail = w.holds([]*guard{t.guard}); fail != nil {
			return nil, fail
		}
	}
	return out, nil
}

// block runs statements one after the other; what they declare ends with them.
func (f *function) block(toks []token) (v value, returned bool, fail *failure) {
	outer := len(f.site.vars)
	defer func() { f.site.vars = f.site.vars[:outer] }()
	for len(toks) > 0 {
		var rest []token
		v, returned, rest, fail = f.statement(toks, true)
		if fail != nil || returned || f.broken {
			return v, returned, fail
		}
		toks = rest
	}
	return v, false, nil
}

// statement runs the first statement of toks, or steps over it, and returns
// what follows it.
func (f *function) statement(toks []token, run bool) (v value, returned bool, rest []token, fail *failure) {
	f.site.r.steps++
	if f.site.r.steps > maxSteps || f.site.depth > maxSites {
		return v, false, nil, failing(toks[0].pos, "a constexpr function takes too many steps")
	}
	t := toks[0]
	switch {
	case t.is(";"):
		return v, false, toks[1:], nil
	case t.is("{"):
		end := matching(toks, 0)
		if end < 0 {
			return v, false, nil, failing(t.pos, "a brace is not closed")
		}
		if run {
			v, returned, fail = f.block(toks[1:end])
		}
		return v, returned, toks[end+1:], fail
	case t.isIdent("if"):
		return f.conditional(toks, run)
	case t.isIdent("switch"):
		return f.choice(toks, run)
	}
	end := semicolon(toks)
	if end < 0 {
		return v, false, nil, failing(t.pos, "a semicolon is missing")
	}
	if run {
		v, returned, fail = f.simple(toks[:end])
	}
	return v, returned, toks[end+1:], fail
}

// semicolon returns the index of the first one outside of brackets, or -1.
func semicolon(toks []token) int {
	for i := 0; i < len(toks); i++ {
		switch {
		case toks[i].is(";"):
			return i
		case toks[i].is("(") || toks[i].is("{") || toks[i].is("["):
			end := matching(toks, i)
			if end < 0 {
				return -1
			}
			i = end
		}
	}
	return -1
}

// header reads the round brackets behind if and switch.
func header(toks []token, at int) (inner, rest []token, ok bool) {
	if at >= len(toks) || !toks[at].is("(") {
		return nil, nil, false
	}
	end := matching(toks, at)
	if end < 0 || end+1 >= len(toks) {
		return nil, nil, false
	}
	return toks[at+1 : end], toks[end+1:], true
}

func (f *function) conditional(toks []token, run bool) (v value, returned bool, rest []token, fail *failure) {
	at := 1
	if len(toks) > 1 && toks[1].isIdent("constexpr") {
		at++
	}
	cond, rest, ok := header(toks, at)
	if !ok {
		return v, false, nil, failing(toks[0].pos, "an if is not understood")
	}
	taken := false
	if run {
		c, fail := evaluateDeep(cond, f.site, toks[0].pos, 0)
		if fail != nil {
			return v, false, nil, fail
		}
		taken = c.n != 0
	}
	v, returned, rest, fail = f.statement(rest, run && taken)
	if fail != nil || returned || f.broken {
		return v, returned, rest, fail
	}
	if len(rest) > 1 && rest[0].isIdent("else") {
		return f.statement(rest[1:], run && !taken)
	}
	return v, false, rest, nil
}

// choice runs a switch from the label that fits on, falling through as C does.
func (f *function) choice(toks []token, run bool) (v value, returned bool, rest []token, fail *failure) {
	cond, rest, ok := header(toks, 1)
	if !ok || !rest[0].is("{") {
		return v, false, nil, failing(toks[0].pos, "a switch is not understood")
	}
	end := matching(rest, 0)
	if end < 0 {
		return v, false, nil, failing(toks[0].pos, "a brace is not closed")
	}
	body, after := rest[1:end], rest[end+1:]
	if !run {
		return v, false, after, nil
	}
	c, fail := evaluateDeep(cond, f.site, toks[0].pos, 0)
	if fail != nil {
		return v, false, nil, fail
	}
	from, fail := f.label(body, c)
	if fail != nil || from == nil {
		return v, false, after, fail
	}
	for len(from) > 0 && !returned && !f.broken {
		if n := labelAt(from); n > 0 {
			from = from[n:]
			continue
		}
		if v, returned, from, fail = f.statement(from, true); fail != nil {
			return v, false, nil, fail
		}
	}
	f.broken = false
	return v, returned, after, nil
}

// labelAt returns how many tokens the label has that toks begin with.
func labelAt(toks []token) int {
	if !toks[0].isIdent("case") && !toks[0].isIdent("default") {
		return 0
	}
	for i, t := range toks {
		if t.is(":") {
			return i + 1
		}
		if t.is(";") || t.is("{") {
			break
		}
	}
	return 0
}

// label finds the statements of a switch that a value selects.
func (f *function) label(body []token, c value) ([]token, *failure) {
	var fallback []token
	for i := 0; i < len(body); i++ {
		t := body[i]
		if t.is("{") || t.is("(") {
			if end := matching(body, i); end > 0 {
				i = end
			}
			continue
		}
		n := labelAt(body[i:])
		switch {
		case n == 0:
		case t.isIdent("default"):
			fallback = body[i+n:]
			i += n - 1
		default:
			v, fail := evaluateDeep(body[i+1:i+n-1], f.site, t.pos, 0)
			if fail != nil {
				return nil, fail
			}
			if v.n == c.n {
				return body[i+n:], nil
			}
			i += n - 1
		}
	}
	return fallback, nil
}

// simple runs a statement without substatements.
func (f *function) simple(toks []token) (v value, returned bool, fail *failure) {
	switch {
	case toks[0].isIdent("return"):
		v, fail = evaluateDeep(toks[1:], f.site, toks[0].pos, 0)
		return v, true, fail
	case toks[0].isIdent("break") && len(toks) == 1:
		f.broken = true
		return v, false, nil
	case toks[0].isIdent("static_assert"), toks[0].isIdent("using"), toks[0].isIdent("typedef"):
		return v, false, nil
	}
	at := slices.IndexFunc(toks, func(t token) bool { return t.is("=") || t.is("{") })
	if at < 1 || toks[at-1].kind != ident {
		return v, false, failing(toks[0].pos, "the statement ", shortText(spell(toks)), " is not understood")
	}
	expression := toks[at+1:]
	if toks[at].is("{") {
		if end := matching(toks, at); end != len(toks)-1 {
			return v, false, failing(toks[0].pos, "the statement ", shortText(spell(toks)), " is not understood")
		}
		expression = toks[at+1 : len(toks)-1]
	}
	v, fail = evaluateDeep(expression, f.site, toks[0].pos, 0)
	if fail != nil {
		return v, false, fail
	}
	name := toks[at-1].text
	if at == 1 {
		b := f.site.variable(name)
		if b == nil || b.typ != nil {
			return v, false, failing(toks[0].pos, name, " is not a variable of the function")
		}
		b.value = v
		return v, false, nil
	}
	if typ := integerType(toks[:at-1]); len(typ) > 0 && !typ[0].isIdent("auto") {
		w, isType, fail := f.site.cast(typ, v, toks[0].pos)
		if !isType || fail != nil {
			return v, false, failing(toks[0].pos, "the statement ", shortText(spell(toks)), " is not understood")
		}
		v = w
	}
	f.site.vars = append(f.site.vars, bound{name: name, value: v})
	return v, false, nil
}
