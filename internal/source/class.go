package source

import "slices"

// typeMember makes a type of a class, an alias or an enumeration.
func (s *site) typeMember(all []found, st step) (*typeRef, *failure) {
	all = slices.DeleteFunc(slices.Clone(all), func(f found) bool { return f.m.kind != classMember && f.m.kind != aliasMember })
	if len(all) == 0 {
		return nil, failing(st.tok.pos, st.tok.text, " is no type")
	}
	if fail := s.r.unit.specialized(all[0].m, st.tok.pos); fail != nil {
		return nil, fail
	}
	if all[0].m.kind == aliasMember {
		if len(all) > 1 {
			return nil, failing(st.tok.pos, st.tok.text, " is defined more than once: at ", all[0].m.pos.String(), " and ", all[1].m.pos.String())
		}
		f := all[0]
		args, fail := s.arguments(f.m.params, st.args, st.tok.pos)
		if fail != nil {
			return nil, fail
		}
		return s.at(f.m.scope, append(f.vars[:len(f.vars):len(f.vars)], args...)).typeOf(f.m.value)
	}
	return s.class(all, st)
}

// class picks the definition that template arguments select.
func (s *site) class(all []found, st step) (*typeRef, *failure) {
	var primary *found
	for i := range all {
		if all[i].m.inner.spec == nil {
			if primary != nil && primary.m.inner != all[i].m.inner {
				return nil, failing(st.tok.pos, st.tok.text, " is defined more than once: at ", primary.m.pos.String(), " and ", all[i].m.pos.String())
			}
			primary = &all[i]
		}
	}
	if primary == nil {
		// Declared elsewhere; without the primary's defaults the arguments
		// must all be there.
		args, f := s.loose(st.args)
		if f != nil {
			return nil, f
		}
		return s.specialized(all, args, nil, st)
	}
	args, f := s.arguments(primary.m.params, st.args, st.tok.pos)
	if f != nil {
		return nil, f
	}
	return s.specialized(all, args, primary, st)
}

// loose evaluates template arguments without parameters to go by.
func (s *site) loose(toks []token) ([]bound, *failure) {
	var args []bound
	if len(toks) == 0 {
		return nil, nil
	}
	for _, a := range split(toks) {
		b, f := s.argument(param{}, a)
		if f != nil {
			return nil, f
		}
		args = append(args, b)
	}
	return args, nil
}

// specialized chooses between a class template and its specializations.
func (s *site) specialized(all []found, args []bound, primary *found, st step) (*typeRef, *failure) {
	var exact, partial []*typeRef
	for _, f := range all {
		inner := f.m.inner
		if inner.spec == nil {
			continue
		}
		vars, v := s.match(inner, args)
		switch {
		case v == unknown:
			return nil, failing(st.tok.pos, "whether the specialization of ", st.tok.text, " at ", f.m.pos.String(), " is meant is not known")
		case v == yes && len(inner.params) == 0:
			exact = append(exact, &typeRef{scope: inner, vars: vars})
		case v == yes:
			partial = append(partial, &typeRef{scope: inner, vars: vars})
		}
	}
	switch {
	case len(exact) == 1:
		return exact[0], nil
	case len(exact) == 0 && len(partial) == 1:
		return partial[0], nil
	case len(exact)+len(partial) > 0:
		return nil, failing(st.tok.pos, "several specializations of ", st.tok.text, " match")
	case primary == nil:
		return nil, failing(st.tok.pos, st.tok.text, " is not defined for these arguments in the scanned files")
	}
	return &typeRef{scope: primary.m.inner, vars: append(primary.vars[:len(primary.vars):len(primary.vars)], args...)}, nil
}

// match compares arguments with those of a specialization, and binds the
// parameters that stand in it alone.
func (s *site) match(inner *scope, args []bound) ([]bound, verdict) {
	patterns := split(inner.spec)
	if len(patterns) != len(args) {
		return nil, unknown
	}
	var vars []bound
	here := &site{r: s.r, scope: inner.parent, depth: s.depth + 1}
	result := yes
	for i, pattern := range patterns {
		if len(pattern) == 1 && slices.ContainsFunc(inner.params, func(p param) bool { return p.name == pattern[0].text }) {
			name := pattern[0].text
			if j := slices.IndexFunc(vars, func(b bound) bool { return b.name == name }); j >= 0 {
				if v := same(vars[j], args[i]); v != yes {
					return nil, v
				}
				continue
			}
			b := args[i]
			b.name = name
			vars = append(vars, b)
			continue
		}
		for _, t := range pattern {
			if slices.ContainsFunc(inner.params, func(p param) bool { return p.name != "" && p.name == t.text }) {
				return nil, unknown // a pattern such as Tile<M, N>
			}
		}
		want, f := here.argument(param{isType: args[i].typ != nil}, pattern)
		if f != nil {
			return nil, unknown
		}
		switch same(want, args[i]) {
		case no:
			return nil, no
		case unknown:
			result = unknown
		default:
		}
	}
	return vars, result
}

// same compares two template arguments.
func same(a, b bound) verdict {
	switch {
	case a.why != "" || b.why != "":
		return unknown
	case (a.typ == nil) != (b.typ == nil):
		return no
	case a.typ == nil:
		return verdictOf(a.value.n == b.value.n)
	case a.typ.scope == nil && b.typ.scope == nil:
		if a.typ.name == b.typ.name {
			return yes
		}
		if isBuiltin(a.typ.name) && isBuiltin(b.typ.name) {
			return verdictOf(integers[a.typ.name] == integers[b.typ.name] && integers[a.typ.name] != 0)
		}
		return unknown
	case a.typ.scope != b.typ.scope:
		if a.typ.scope != nil && b.typ.scope != nil {
			return no
		}
		if a.typ.scope == nil && isBuiltin(a.typ.name) || b.typ.scope == nil && isBuiltin(b.typ.name) {
			return no
		}
		return unknown
	}
	if len(a.typ.vars) != len(b.typ.vars) {
		return unknown
	}
	for i := range a.typ.vars {
		if v := same(a.typ.vars[i], b.typ.vars[i]); v != yes {
			return v
		}
	}
	return yes
}

func isBuiltin(name string) bool {
	_, integer := integers[name]
	_, other := sizes[name]
	return integer || other
}
