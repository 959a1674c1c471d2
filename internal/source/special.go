package source

import "slices"

// specialize records that a declaration specializes a template's variable,
// function or member outside of any class:
//
//	template <> constexpr int blocks<float> = 8;
//	template <class T> constexpr int blocks<T*> = 4;
//	template <> constexpr int Traits<float>::blocks = 2;
//
// Which arguments it is for is not worked out: what the name means in any
// template is then not known. It reports whether the declaration was one.
func (s *scanner) specialize(toks []token) bool {
	full := false
	rest := toks
	for len(rest) > 2 && rest[0].isIdent("template") && rest[1].is("<") {
		end := angle(rest, 1)
		if end < 0 {
			return false
		}
		full = full || end == 2
		rest = rest[end+1:]
	}
	if len(rest) == len(toks) || len(rest) == 0 || rest[0].isIdent("template") || rest[0].isIdent("using") {
		return false
	}
	at, ok := declaratorEnd(rest)
	if !ok {
		return false
	}
	name, listed := rest[at], false
	if rest[at].is(">") {
		if at = angleStart(rest, at) - 1; at < 0 {
			return false
		}
		name, listed = rest[at], true
	}
	if name.kind != ident && name.kind != raised || !full && !listed {
		return false
	}
	if s.unit.special == nil {
		s.unit.special = map[string]pos{}
	}
	if _, known := s.unit.special[name.text]; !known {
		s.unit.special[name.text] = name.pos
	}
	return true
}

// declaratorEnd returns the index of the last token of the declared name, with
// its template arguments.
func declaratorEnd(toks []token) (int, bool) {
	for i := 0; i < len(toks); i++ {
		if n := attributeAt(toks, i); n > 0 {
			i += n - 1
			continue
		}
		switch {
		case toks[i].is("<"):
			if end := angle(toks, i); end > 0 {
				i = end
			}
		case toks[i].is("=") || toks[i].is("(") || toks[i].is("{") || toks[i].is("[") || toks[i].is(":"):
			return i - 1, i > 0
		}
	}
	return len(toks) - 1, len(toks) > 0
}

// angleStart returns the index of the < that the > at end closes, or -1.
func angleStart(toks []token, end int) int {
	depth := 0
	for i := end; i >= 0; i-- {
		switch {
		case toks[i].is(">"):
			depth++
		case toks[i].is("<"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// specialized says where a template's member has a specialization that is not
// read; nil where it has none.
func (u *unit) specialized(m *member, p pos) *failure {
	at, ok := u.special[m.name]
	if !ok || !m.templated() {
		return nil
	}
	return failing(p, m.name, " is specialized at ", at.String(), ", and which of its values is meant is not worked out")
}

// templated reports whether m, or a class around it, is a template.
func (m *member) templated() bool {
	if m.params != nil {
		return true
	}
	for s := m.scope; s != nil; s = s.parent {
		if s.kind == classScope && (s.params != nil || s.spec != nil) {
			return true
		}
	}
	return false
}

// converted changes what a function is given, or returns, to the type that it
// is declared with, as the language does.
func (s *site) converted(typ []token, v value, p pos) (value, *failure) {
	typ = slices.DeleteFunc(slices.Clone(integerType(typ)), func(t token) bool {
		return t.is("&") || t.is("&&") || t.isIdent("consteval") || t.isIdent("friend")
	})
	if len(typ) == 0 || len(typ) == 1 && typ[0].isIdent("auto") {
		return v, nil
	}
	w, isType, fail := s.cast(typ, v, p)
	if fail != nil {
		return v, fail
	}
	if !isType {
		return v, failing(p, "the type ", shortText(spell(typ)), " is not known to be an integer")
	}
	return w, nil
}
