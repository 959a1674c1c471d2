package source

import "slices"

// lookup finds the members that name means, from the inside out.
func (s *site) lookup(name string) ([]found, *failure) {
	for scope := s.scope; scope != nil; scope = scope.parent {
		all, f := s.within(scope, s.vars, name, 0)
		if f != nil {
			return nil, f
		}
		if all, f = s.declared(all); f != nil {
			return nil, f
		}
		if len(all) > 0 {
			if dependent := s.fromDependentBase(scope, all); dependent {
				return nil, failing(scope.pos, name, " is in a base of ", scope.name, " that depends on its template parameters, where C++ does not look for it")
			}
			return all, nil
		}
	}
	return nil, nil
}

// declared drops the members that are declared after the place
// that asks for them: C++ goes on to look further out. A class may be defined
// later, and so may a function that was declared before.
func (s *site) declared(all []found) ([]found, *failure) {
	if s.order == 0 {
		return all, nil
	}
	var seen []found
	for _, f := range all {
		switch {
		case f.m.order <= s.order || s.whole && f.m.ofClass() || f.m.kind == classMember || f.m.kind == namespaceMember:
			seen = append(seen, f)
		case f.m.kind == functionMember:
			return nil, failing(f.m.pos, f.m.name, " is defined at ", f.m.pos.String(), ", after it is used")
		default:
		}
	}
	return seen, nil
}

// ofClass reports whether m is a member of a class.
func (m *member) ofClass() bool {
	for s := m.scope; s != nil; s = s.parent {
		if s.kind == classScope {
			return true
		}
	}
	return false
}

// fromDependentBase reports whether members that were looked up without a
// qualifier come from the bases of a class template, one of which names its
// template parameters.
func (s *site) fromDependentBase(in *scope, all []found) bool {
	if in.kind != classScope || len(in.bases) == 0 || len(in.members[all[0].m.name]) > 0 ||
		slices.ContainsFunc(in.open, func(o *scope) bool { return o == all[0].m.scope }) {
		return false
	}
	params := classParams(in)
	for _, base := range in.bases {
		for _, t := range base {
			if slices.ContainsFunc(params, func(p param) bool { return p.name != "" && t.isIdent(p.name) }) {
				return true
			}
		}
	}
	return false
}

// within finds the members of one scope, of the scopes that are open in it and
// of its bases.
func (s *site) within(scope *scope, vars []bound, name string, depth int) ([]found, *failure) {
	if s.r.steps++; s.r.steps > maxSteps || depth > maxDepth {
		return nil, failing(pos{}, "looking up ", name, " takes too many steps")
	}
	var all []found
	for _, m := range scope.members[name] {
		ok, f := s.r.holds(m.guards)
		if f != nil {
			return nil, f
		}
		if ok && !slices.ContainsFunc(all, func(o found) bool { return o.m.kind == namespaceMember && o.m.inner == m.inner }) {
			all = append(all, found{m, vars})
		}
	}
	for _, inner := range scope.open {
		more, f := s.within(inner, vars, name, depth+1)
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
		if target := s.namespaceOf(scope, u.path); target != nil && target != scope {
			more, f := s.within(target, nil, name, depth+10)
			if f != nil {
				return nil, f
			}
			all = append(all, more...)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return s.inBases(scope, vars, name, depth)
}

func (s *site) inBases(scope *scope, vars []bound, name string, depth int) ([]found, *failure) {
	for _, base := range scope.bases {
		if s.depth > maxSites {
			return nil, failing(scope.pos, scope.name, " is derived too deep")
		}
		outer := s.at(scope.parent, vars)
		t, f := outer.typeOf(base)
		if f != nil {
			if f.need != nil {
				return nil, f
			}
			return nil, failing(scope.pos, "a base of ", scope.name, " is not known: ", f.reason)
		}
		if t.scope == nil {
			return nil, failing(scope.pos, "the base ", t.name, " of ", scope.name, " is not in the scanned files")
		}
		if t.scope == scope {
			continue
		}
		all, f := outer.within(t.scope, t.vars, name, depth+10)
		if f != nil || len(all) > 0 {
			return all, f
		}
	}
	return nil, nil
}

// namespaceOf finds the namespace that a path means in scope.
func (s *site) namespaceOf(scope *scope, path []string) *scope { return findNamespace(scope, path, 0) }

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

func innerNamespace(s *scope, name string) *scope { return namespaceIn(s, name, 0) }

// namespaceIn finds a namespace directly inside s, by its own name or an alias.
func namespaceIn(s *scope, name string, depth int) *scope {
	for _, m := range s.members[name] {
		if m.kind == namespaceMember {
			return m.inner
		}
		if m.kind == aliasMember && m.params == nil {
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
