package source

import "slices"

// lookup finds the members that a name means, from the inside out.
func (s *site) lookup(t token) ([]*member, *failure) {
	for scope := s.scope; scope != nil; scope = scope.parent {
		all, f := s.within(scope, t.text, 0)
		if f != nil || len(all) > 0 {
			return all, f
		}
		if scope.kind == classScope && scope.bases {
			return nil, failing(t.pos, t.text, " may be of a base of ", scope.name, ", and bases are not followed")
		}
	}
	return nil, nil
}

// within finds the members of one scope and of the scopes that are open in it.
func (s *site) within(scope *scope, name string, depth int) ([]*member, *failure) {
	if s.r.steps++; s.r.steps > maxSteps || depth > maxDepth {
		return nil, failing(pos{}, "looking up ", name, " takes too many steps")
	}
	var all []*member
	for _, m := range scope.members[name] {
		ok, f := s.r.holds(m.guards)
		if f != nil {
			return nil, f
		}
		if ok && s.sees(m) && !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	for _, inner := range scope.open {
		more, f := s.within(inner, name, depth+1)
		if f != nil {
			return nil, f
		}
		all = append(all, more...)
	}
	if len(all) > 0 {
		return all, nil
	}
	for _, u := range scope.usings {
		if s.order > 0 && u.order > s.order {
			continue
		}
		if ok, f := s.r.holds(u.guards); f != nil || !ok {
			if f != nil {
				return nil, f
			}
			continue
		}
		if target := findNamespace(scope, u.path, 0); target != nil && target != scope {
			more, f := s.within(target, name, depth+10)
			if f != nil {
				return nil, f
			}
			for _, m := range more {
				if !slices.Contains(all, m) {
					all = append(all, m)
				}
			}
		}
	}
	return all, nil
}

// sees reports whether m is declared before the place that asks: C++ goes on
// to look further out. A class may be defined later.
func (s *site) sees(m *member) bool {
	return s.order == 0 || m.order <= s.order || m.kind == classMember || m.kind == namespaceMember
}

// scopeOf finds the namespace, class or enumeration that names mean. Classes
// that are templates are none of those whose members are read.
func (s *site) scopeOf(toks []token) (*scope, *failure) {
	if s.depth > maxSites {
		return nil, failing(toks[0].pos, toks[0].text, " takes too many steps")
	}
	all, f := s.lookup(toks[0])
	if f != nil {
		return nil, f
	}
	at, f := s.scopeMember(toks[0], all)
	for _, t := range toks[1:] {
		if f != nil {
			return nil, f
		}
		if all, f = s.within(at, t.text, 0); f == nil {
			at, f = s.scopeMember(t, all)
		}
	}
	return at, f
}

func (s *site) scopeMember(t token, all []*member) (*scope, *failure) {
	var inner *scope
	for _, m := range all {
		scope := m.inner
		switch {
		case m.kind == aliasMember:
			path := namesOf(m.value)
			if path == nil || m.template {
				return nil, failing(t.pos, t.text, " is another name of a type, which is not followed")
			}
			var f *failure
			if scope, f = s.inside(m).scopeOf(path); f != nil {
				return nil, f
			}
		case m.template:
			return nil, failing(t.pos, t.text, " is a class template, whose members are not worked out")
		case scope == nil:
			continue
		}
		if inner != nil && inner != scope {
			return nil, failing(t.pos, t.text, " is defined more than once: at ", all[0].pos.String(), " and ", m.pos.String())
		}
		inner = scope
	}
	if inner == nil {
		return nil, failing(t.pos, t.text, " is not defined in the scanned files", s.r.unit.missingNote())
	}
	if inner.kind == classScope && inner.bases {
		return nil, failing(t.pos, "members of ", t.text, " may be of its base, and bases are not followed")
	}
	return inner, nil
}

// namesOf returns the tokens of the names in a::b::c, or nil for anything else.
func namesOf(toks []token) []token {
	if pathOf(toks) == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(toks), func(t token) bool { return t.kind != ident })
}

func findNamespace(scope *scope, path []string, depth int) *scope {
	for from := scope; from != nil && depth < maxSites; from = from.parent {
		at := from
		for _, name := range path {
			if at = namespaceIn(at, name, depth); at == nil {
				break
			}
		}
		if at != nil {
			return at
		}
	}
	return nil
}

// namespaceIn finds a namespace directly inside s, by its own name or an alias.
func namespaceIn(s *scope, name string, depth int) *scope {
	for _, m := range s.members[name] {
		if m.kind == namespaceMember {
			return m.inner
		}
		if m.kind == aliasMember && !m.template {
			if path := pathOf(m.value); len(path) > 0 && (len(path) > 1 || path[0] != name) {
				if at := findNamespace(m.scope, path, depth+10); at != nil {
					return at
				}
			}
		}
	}
	for _, o := range s.open {
		if o.kind == namespaceScope && depth < maxSites {
			if inner := namespaceIn(o, name, depth+1); inner != nil {
				return inner
			}
		}
	}
	for _, u := range s.usings {
		if len(u.guards) > 0 || depth >= maxSites {
			continue
		}
		if at := findNamespace(s, u.path, depth+20); at != nil && at != s {
			if inner := namespaceIn(at, name, depth+20); inner != nil {
				return inner
			}
		}
	}
	return nil
}
