package source

import "slices"

// maxHead is the longest declaration that is read, in tokens: tables of
// numbers are longer, kernels are not.
const maxHead = 8192

// The tokens of a declaration lie in a buffer that the next source file uses
// again: what is kept of them is copied.

// declaration handles what was read up to a semicolon, or up to a body.
func (s *scanner) declaration(b *body) {
	if s.table {
		return
	}
	toks := s.pending()
	if len(toks) == 0 {
		return
	}
	if len(toks) > maxHead {
		if hasKernel(toks) {
			s.unit.note(toks[0].pos, "a declaration of more than 8192 tokens is not read")
		}
		return
	}
	found, all := readings(s.startGuard, toks)
	for _, r := range found {
		s.one(r, b, all)
	}
}

// hasKernel reports whether a declaration is one of a kernel: it says
// __global__, or what that macro stands for, or it has an attribute that only
// kernels have, which shows that a macro from elsewhere says __global__.
func hasKernel(toks []token) bool {
	for i, t := range toks {
		switch {
		case t.kind != ident:
		case t.text == "__global__":
			return true
		case i+1 < len(toks) && toks[i+1].is("(") && (t.text == "__launch_bounds__" || t.text == "__maxnreg__"):
			return true
		case t.text == "__attribute__" && i+3 < len(toks) && (toks[i+3].isIdent("global") || toks[i+3].isIdent("launch_bounds")):
			return true
		}
	}
	return false
}

// one handles one reading of a declaration.
func (s *scanner) one(r reading, b *body, all bool) {
	toks := r.toks
	if len(toks) == 0 {
		return
	}
	if hasKernel(toks) {
		s.kernel(toks, r.guards, b, all)
		return
	}
	rest, params := templateHead(toks)
	rest = skipAttributes(rest)
	if len(rest) == 0 {
		return
	}
	switch {
	case b != nil:
		s.function(rest, b)
	case rest[0].isIdent("using"):
		s.using(rest[1:], params, r.guards)
	case rest[0].isIdent("typedef"):
		s.typedef(rest[1:], r.guards)
	case rest[0].isIdent("namespace"):
		s.namespaceAlias(rest[1:], r.guards)
	default:
		s.constants(rest, params, r.guards)
	}
}

func (s *scanner) class(h head) *scope {
	outer := s.scope.named()
	inner := newScope(classScope, h.names[0], s.scope)
	inner.params, inner.bases = h.params, h.bases
	outer.add(&member{kind: classMember, name: inner.name, scope: outer, guards: s.guards(), pos: h.pos, template: h.params != nil, inner: inner})
	return inner
}

func (s *scanner) guards() []*guard {
	if s.guard == nil {
		return nil
	}
	return []*guard{s.guard}
}

// enum reads the enumerators between the braces of an enumeration.
func (s *scanner) enum(h head, toks []token) {
	home := s.scope.named()
	if h.names[0] != "" {
		inner := newScope(enumScope, h.names[0], home)
		home.add(&member{kind: classMember, name: inner.name, scope: home, guards: s.guards(), pos: h.pos, inner: inner})
		if !h.scoped {
			home.open = append(home.open, inner)
		}
		home = inner
	}
	if len(toks) > maxUnitTokens/8 {
		return
	}
	marked := len(unmarked(toks)) != len(toks)
	var previous *member
	for _, e := range split(unmarked(toks)) {
		e = skipAttributes(e)
		if len(e) == 0 || e[0].kind != ident {
			continue
		}
		m := &member{kind: constMember, name: e[0].text, scope: home, guards: s.guards(), pos: e[0].pos, previous: previous}
		if len(e) > 2 && e[1].is("=") {
			m.value = slices.Clone(e[2:])
		} else if marked {
			// Which enumerators there are depends on a condition: the count
			// is not known.
			m.value = []token{{kind: raised, text: e[0].text, pos: e[0].pos}}
		}
		home.add(m)
		previous = m
	}
}

func (s *scanner) using(toks []token, params []param, guards []*guard) {
	if len(toks) == 0 {
		return
	}
	home := s.scope.named()
	if toks[0].isIdent("namespace") {
		if path := pathOf(toks[1:]); path != nil {
			*home.count++
			home.usings = append(home.usings, using{path, guards, *home.count})
		}
		return
	}
	if len(toks) > 2 && toks[1].is("=") {
		home.add(&member{kind: aliasMember, name: toks[0].text, scope: home, guards: guards, pos: toks[0].pos, template: params != nil, value: slices.Clone(toks[2:])})
		return
	}
	// using a::b; names b here.
	if path := pathOf(toks); len(path) > 1 {
		home.add(&member{kind: aliasMember, name: path[len(path)-1], scope: home, guards: guards, pos: toks[0].pos, value: slices.Clone(toks)})
	}
}

func (s *scanner) typedef(toks []token, guards []*guard) {
	n := len(toks) - 1
	if n < 1 || toks[n].kind != ident {
		return
	}
	home := s.scope.named()
	home.add(&member{kind: aliasMember, name: toks[n].text, scope: home, guards: guards, pos: toks[n].pos, value: slices.Clone(toks[:n])})
}

func (s *scanner) namespaceAlias(toks []token, guards []*guard) {
	if len(toks) > 2 && toks[1].is("=") {
		home := s.scope.named()
		home.add(&member{kind: aliasMember, name: toks[0].text, scope: home, guards: guards, pos: toks[0].pos, value: slices.Clone(toks[2:])})
	}
}

// pathOf returns the names of a::b::c, or nil for anything else.
func pathOf(toks []token) []string {
	var path []string
	for i, t := range toks {
		switch {
		case t.is("::"):
		case t.kind == ident && (i == 0 || toks[i-1].is("::")):
			path = append(path, t.text)
		default:
			return nil
		}
	}
	return path
}

// constants keeps the const, constexpr and enumerated values that a
// declaration names, and the shared arrays whose size the launch decides.
func (s *scanner) constants(toks []token, params []param, guards []*guard) {
	constant, external, shared := false, false, false
	for _, t := range toks {
		if t.kind == punct && (t.text == "=" || t.text == "(" || t.text == "{") {
			break
		}
		switch {
		case t.isIdent("const"), t.isIdent("constexpr"), t.isIdent("constinit"):
			constant = true
		case t.isIdent("extern"):
			external = true
		case t.isIdent("__shared__"):
			shared = true
		}
	}
	if external && shared {
		s.unit.dynamic[lastName(toks)] = true
		return
	}
	if !constant {
		return
	}
	home := s.scope.named()
	for n, d := range split(toks) {
		at := -1
		for i, t := range d {
			if t.is("=") || t.is("{") || t.is("(") {
				at = i
				break
			}
		}
		if at < 1 || d[at-1].kind != ident || at > 1 && d[at-2].is("::") {
			continue
		}
		value := d[at+1:]
		if !d[at].is("=") {
			end := matching(d, at)
			if end < 0 || end != len(d)-1 {
				continue
			}
			value = d[at+1 : end]
		}
		m := &member{kind: constMember, name: d[at-1].text, scope: home, guards: guards, pos: d[at-1].pos, template: params != nil, value: slices.Clone(value)}
		if n == 0 {
			m.typ = slices.Clone(d[:at-1])
		}
		home.add(m)
	}
}

// lastName is the declared name in "extern __shared__ float4 tile[]".
func lastName(toks []token) string {
	name := ""
	for i := 0; i < len(toks); i++ {
		if toks[i].is("[") {
			break
		}
		if n := attributeAt(toks, i); n > 0 {
			i += n - 1
			continue
		}
		if toks[i].kind == ident {
			name = toks[i].text
		}
	}
	return name
}

func (s *scanner) body(name string, b body) {
	if name != "" {
		s.unit.bodies[name] = append(s.unit.bodies[name], b)
	}
}

// function keeps for every function where its body is.
func (s *scanner) function(toks []token, b *body) {
	name := ""
	for i := 0; i < len(toks); i++ {
		if n := attributeAt(toks, i); n > 0 {
			i += n - 1
			continue
		}
		if toks[i].is("<") {
			if end := angle(toks, i); end > 0 {
				i = end
			}
			continue
		}
		if toks[i].is("(") {
			if i > 0 && toks[i-1].kind == ident {
				name = toks[i-1].text
			}
			break
		}
	}
	// A method counts for its class: its own name is often that of others.
	if owner := s.scope.named(); owner.kind == classScope {
		s.body(owner.name, *b)
		if name != "" {
			s.body("."+name, *b) // for calls on a template parameter
		}
	} else {
		s.body(name, *b)
	}
}
