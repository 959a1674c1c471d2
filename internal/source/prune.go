package source

// prune drops what no kernel's attributes can ask for. A source file sees
// everything that its headers declare, and hundreds of files that include the
// same headers must not each keep it.
//
// What can be asked for is found by name: the names in the attributes, the
// names in what those stand for, and so on; a class is kept for a member of
// such a name, since the class itself can be named by a template argument of
// the log.
func (u *unit) prune() {
	p := pruner{wanted: map[string]bool{}, members: map[string][]*member{}, derived: map[string][]*member{}}
	p.index(u.root, map[*scope]bool{})
	for _, k := range u.kernels {
		for _, a := range k.attributes() {
			for _, arg := range a.args {
				p.want(arg)
			}
		}
		p.want(k.spec)
		for _, param := range k.params {
			p.want(param.fallback)
		}
	}
	for len(p.queue) > 0 {
		name := p.queue[len(p.queue)-1]
		p.queue = p.queue[:len(p.queue)-1]
		for _, m := range p.members[name] {
			p.keep(m)
		}
		for _, m := range p.derived[name] {
			p.name(m.name)
		}
	}
	p.sweep(u.root, map[*scope]bool{})
}

type pruner struct {
	wanted  map[string]bool
	queue   []string
	members map[string][]*member
	derived map[string][]*member // classes and aliases by the names that they are made of
	// types says that types are compared, so that every class counts.
	types bool
}

func (p *pruner) name(name string) {
	if name != "" && !p.wanted[name] {
		p.wanted[name] = true
		p.queue = append(p.queue, name)
	}
}

func (p *pruner) want(toks []token) {
	for _, t := range toks {
		if t.kind == ident {
			p.name(t.text)
			p.types = p.types || t.text == "is_same" || t.text == "is_same_v"
		}
	}
}

// index lists the members of all scopes by name.
func (p *pruner) index(s *scope, seen map[*scope]bool) {
	if seen[s] {
		return
	}
	seen[s] = true
	for name, list := range s.members {
		p.members[name] = append(p.members[name], list...)
		for _, m := range list {
			if m.kind == aliasMember {
				p.derive(m, m.value)
			}
			if m.inner == nil {
				continue
			}
			for _, base := range m.inner.bases {
				p.derive(m, base)
			}
			p.index(m.inner, seen)
		}
	}
	for _, o := range s.open {
		p.index(o, seen)
	}
}

func (p *pruner) derive(m *member, from []token) {
	for _, t := range from {
		if t.kind == ident {
			p.derived[t.text] = append(p.derived[t.text], m)
		}
	}
}

// keep asks for what a wanted member is made of.
func (p *pruner) keep(m *member) {
	p.want(m.value)
	p.want(m.typ)
	for _, typ := range m.argTypes {
		p.want(typ)
	}
	for _, param := range m.params {
		p.want(param.fallback)
	}
	if m.previous != nil && m.value == nil {
		p.name(m.previous.name)
	}
	for s := m.scope; s != nil; s = s.parent {
		if s.kind != namespaceScope {
			p.name(s.name)
		}
	}
	if c := m.inner; c != nil && c.kind == classScope {
		p.types = p.types || c.spec != nil
		p.want(c.spec)
		for _, base := range c.bases {
			p.want(base)
		}
		for _, param := range c.params {
			p.want(param.fallback)
		}
	}
}

// sweep deletes the members that nothing asks for.
func (p *pruner) sweep(s *scope, seen map[*scope]bool) {
	if seen[s] {
		return
	}
	seen[s] = true
	for name, list := range s.members {
		kept := list[:0]
		for _, m := range list {
			switch {
			case m.kind == namespaceMember:
				p.sweep(m.inner, seen)
			case m.kind == classMember && (p.types || p.wanted[name] || name == ""):
				p.sweep(m.inner, seen)
			case m.kind == classMember || !p.wanted[name]:
				continue
			}
			kept = append(kept, m)
		}
		clear(list[len(kept):])
		if len(kept) == 0 {
			delete(s.members, name)
		} else {
			s.members[name] = kept
		}
	}
	for _, o := range s.open {
		p.sweep(o, seen)
	}
}
