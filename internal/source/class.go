package source

import (
	"slices"
	"strings"
)

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
		return s.inside(f.m, append(f.vars[:len(f.vars):len(f.vars)], args...)).typeOf(f.m.value)
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
	case a.typ.reference || b.typ.reference || a.typ.pointer() && b.typ.pointer():
		return unknown // what they refer to is not kept
	}
	v := sameUnqualified(a.typ, b.typ)
	if v == yes && (a.typ.constant != b.typ.constant || a.typ.volatile != b.typ.volatile) {
		if a.typ.scope == nil && !isBuiltin(a.typ.name) {
			return unknown // the name may stand for a type that is const itself
		}
		return no
	}
	return v
}

// pointer reports whether t is a pointer; to what is not kept.
func (t *typeRef) pointer() bool { return t.scope == nil && strings.HasSuffix(t.name, "*") }

// definite reports whether t is a built-in type or a pointer, which no class
// of the project is.
func (t *typeRef) definite() bool { return t.scope == nil && (t.pointer() || isBuiltin(t.name)) }

// sameUnqualified compares two types but for const and volatile.
func sameUnqualified(a, b *typeRef) verdict {
	switch {
	case a.scope == nil && b.scope == nil:
		return sameName(a, b)
	case a.scope != b.scope:
		if a.scope != nil && b.scope != nil || a.definite() || b.definite() {
			return no
		}
		return unknown
	}
	if len(classParams(a.scope)) == 0 && a.scope.spec == nil {
		return yes // no template: what the vars hold is of the place that named it
	}
	if len(a.vars) != len(b.vars) {
		return unknown
	}
	result := yes
	for i := range a.vars {
		switch same(a.vars[i], b.vars[i]) {
		case no:
			return no
		case unknown:
			result = unknown
		default:
		}
	}
	return result
}

// sameName compares two types that are no classes of the project.
func sameName(a, b *typeRef) verdict {
	if a.name == b.name {
		if strings.Contains(a.name, "<") {
			return unknown // its arguments may mean something else at another place
		}
		return yes
	}
	if !a.definite() || !b.definite() {
		return unknown
	}
	if a.pointer() || b.pointer() {
		return no
	}
	one, known := exactName(a.name)
	other, otherKnown := exactName(b.name)
	switch {
	case known && otherKnown:
		return verdictOf(one == other)
	case integers[a.name] != integers[b.name]:
		return no
	}
	return unknown // int64_t is long on one system and long long on another
}

// exactName is the one name of a built-in type or of one of the CUDA headers.
// It reports false for names that stand for another type on another system.
func exactName(name string) (string, bool) {
	switch name {
	case "half", "half2", "nv_bfloat16", "nv_bfloat162":
		return "__" + name, true
	}
	if _, known := sizes[name]; known {
		return name, true
	}
	return builtinName(name)
}

func isBuiltin(name string) bool {
	_, integer := integers[name]
	_, other := sizes[name]
	return integer || other
}
