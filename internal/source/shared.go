package source

// sharedUses lists where a body touches `extern __shared__` memory: by its own
// declaration, by that of the file, or in a function that it names, wherever in
// the file that is defined.
// In a template it can be a member of a template parameter, whose class only
// the log knows: any member of that name counts.
func (s *scanner) sharedUses(k *Kernel) []*guard {
	var uses []*guard
	g := k.bodyGuard
	toks := s.toks[k.body.from:min(k.body.to, len(s.toks))]
	template := len(k.params) > 0
	for i, t := range toks {
		switch {
		case t.isMark():
			g = t.guard
		case t.kind != ident:
		case t.text == "extern":
			if declaresShared(toks[i:]) {
				uses = append(uses, g)
			}
		case s.unit.touchesShared(t.text, s.toks), template && memberCall(toks, i) && s.unit.touchesShared("."+t.text, s.toks):
			uses = append(uses, g)
		}
		if len(uses) >= maxReadings {
			break
		}
	}
	return uses
}

// memberCall reports whether the name at i is called as a member of something.
func memberCall(toks []token, i int) bool {
	return i > 0 && (toks[i-1].is(".") || toks[i-1].is("->") || toks[i-1].is("::")) && i+1 < len(toks) && (toks[i+1].is("(") || toks[i+1].is("<"))
}

// declaresShared reports whether the declaration that begins toks has
// __shared__ in it.
func declaresShared(toks []token) bool {
	for _, t := range toks[:min(len(toks), 32)] {
		if t.is(";") || t.is("{") {
			return false
		}
		if t.isIdent("__shared__") {
			return true
		}
	}
	return false
}

// touchesShared reports whether name is a dynamic shared array of the file, or
// a function or class whose bodies touch one.
func (u *unit) touchesShared(name string, toks []token) bool {
	if u.dynamic[name] {
		return true
	}
	bodies, ok := u.bodies[name]
	if !ok {
		return false
	}
	if known, ok := u.touches[name]; ok {
		return known
	}
	u.touches[name] = false // a recursive function asks again
	if u.depth++; u.depth > 200 {
		u.depth--
		return false
	}
	defer func() { u.depth-- }()
	for _, b := range bodies {
		body := toks[b.from:min(b.to, len(toks))]
		for i, t := range body {
			if t.kind == ident && (t.text == "extern" && declaresShared(body[i:]) || u.touchesShared(t.text, toks)) {
				u.touches[name] = true
				return true
			}
		}
	}
	return false
}
