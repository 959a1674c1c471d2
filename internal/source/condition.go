package source

// condition reads the expression of an #if.
func (p *preprocessor) condition(line []token, at pos) *formula {
	toks := p.expand(nil, p.definedOperands(line, at), map[string]int{}, 0)
	toks = p.definedOperands(toks, at) // a macro can have brought new ones
	outer := p.guard
	found, all := readings(outer, toks)
	if !all || p.failed() {
		return p.opaque(toks, at)
	}
	if len(found) == 1 {
		return p.parseCondition(found[0].toks, at, 0)
	}
	result := never
	for _, r := range found {
		when := []*formula{}
		for _, g := range r.guards {
			when = append(when, g.formula(p.formulas, outer))
		}
		when = append(when, p.parseCondition(r.toks, at, 0))
		result = p.formulas.or(result, p.formulas.and(when...))
	}
	return result
}

// opaque is a condition that can't be decided.
func (p *preprocessor) opaque(toks []token, at pos) *formula {
	text := shortText(spell(toks))
	return p.formulas.atomOf(spell(toks), text, at, nil)
}

// definedOperands replaces defined(X), defined X and __has_include(…) before
// macros are expanded.
func (p *preprocessor) definedOperands(toks []token, at pos) []token {
	out := make([]token, 0, len(toks))
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.kind != ident || i+1 >= len(toks) {
			out = append(out, t)
			continue
		}
		var f *formula
		switch t.text {
		case "defined":
			if toks[i+1].kind == ident {
				f = p.isDefined(toks[i+1].text, at)
				i++
			} else if i+3 < len(toks) && toks[i+1].is("(") && toks[i+2].kind == ident && toks[i+3].is(")") {
				f = p.isDefined(toks[i+2].text, at)
				i += 3
			}
		case "__has_include", "__has_include_next", "__has_attribute", "__has_cpp_attribute", "__has_builtin", "__has_feature":
			if end := matching(toks, i+1); end > 0 {
				f = p.opaque(toks[i:end+1], at)
				i = end
			}
		}
		if f == nil {
			out = append(out, t)
			continue
		}
		out = append(out, token{kind: decided, text: f.short(), guard: &guard{f: f, want: true}, pos: t.pos, space: true})
	}
	return out
}

// parseCondition splits at || and && and leaves the rest to leaf.
func (p *preprocessor) parseCondition(toks []token, at pos, depth int) *formula {
	if depth > maxDepth {
		return p.opaque(toks, at)
	}
	if parts := splitLogical(toks, "||", "or"); len(parts) > 1 {
		return p.formulas.or(p.parseAll(parts, at, depth)...)
	}
	if parts := splitLogical(toks, "&&", "and"); len(parts) > 1 {
		return p.formulas.and(p.parseAll(parts, at, depth)...)
	}
	n := len(toks)
	switch {
	case n == 0:
		return p.opaque(toks, at)
	case n == 1 && toks[0].kind == decided:
		return toks[0].guard.f
	case n > 1 && toks[0].is("(") && matching(toks, 0) == n-1:
		return p.parseCondition(toks[1:n-1], at, depth+1)
	case n > 1 && (toks[0].is("!") || toks[0].isIdent("not")) && isOperand(toks[1:]):
		return p.formulas.not(p.parseCondition(toks[1:], at, depth+1))
	}
	return p.leaf(toks, at)
}

func (p *preprocessor) parseAll(parts [][]token, at pos, depth int) []*formula {
	all := make([]*formula, len(parts))
	for i, part := range parts {
		all[i] = p.parseCondition(part, at, depth+1)
	}
	return all
}

// splitLogical cuts at an operator outside of brackets, but not inside of the
// branches of ?:.
func splitLogical(toks []token, op, word string) [][]token {
	for _, t := range toks {
		if t.is("?") {
			return nil
		}
	}
	var parts [][]token
	from := 0
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.is("("):
			if end := matching(toks, i); end > 0 {
				i = end
			}
		case t.is(op) || t.isIdent(word):
			parts = append(parts, toks[from:i])
			from = i + 1
		}
	}
	return append(parts, toks[from:])
}

// isOperand reports whether toks are one operand that a ! can stand before.
func isOperand(toks []token) bool {
	switch {
	case len(toks) == 1:
		return true
	case toks[0].is("("):
		return matching(toks, 0) == len(toks)-1
	case toks[0].is("!"):
		return isOperand(toks[1:])
	}
	return false
}

// leaf decides a comparison: at once, by the architecture, or not at all.
func (p *preprocessor) leaf(toks []token, at pos) *formula {
	names := &leafNames{absent: p.absent}
	v, fail := evaluate(toks, names, at)
	switch {
	case fail == nil && !names.arch:
		return constant(v.n != 0)
	case fail == nil:
		return p.formulas.atomOf("arch "+spell(toks), shortText(spell(toks)), at, toks)
	}
	return p.opaque(toks, at)
}

// leafNames knows the names in a condition that has no macros left. Names that
// nvcc's device pass does not define are 0, as in C.
type leafNames struct {
	absent map[string]bool
	arch   bool // __CUDA_ARCH__ was asked for
}

func (n *leafNames) name(e *evaluator) (value, *failure) {
	t := e.peek()
	e.i++
	switch {
	case t.text == "__CUDA_ARCH__":
		n.arch = true
		return value{n: 1, wide: true}, nil
	case t.kind == ident && (predefined(t.text) == no || n.absent[t.text]):
		return value{}, nil
	}
	return value{}, failing(t.pos, t.text, " is not known here")
}

func (*leafNames) cast(_ []token, v value, _ pos) (value, bool, *failure) { return v, false, nil }

func (*leafNames) sizeOf(_ []token, p pos) (value, *failure) {
	return value{}, failing(p, "sizeof means nothing to the preprocessor")
}
