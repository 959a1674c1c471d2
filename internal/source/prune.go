package source

// wanted is what kernels' attributes are made of, by name: the constants, and
// the classes, namespaces and types that qualify them.
type wanted map[string]bool

// want adds the names in an expression that its kernel's own template
// parameters do not decide.
func (w wanted) want(toks []token, own []param) {
	dependent := false // on a template parameter, by what stands before ::
	for i, t := range toks {
		if t.kind != ident {
			continue
		}
		if i == 0 || !toks[i-1].is("::") {
			dependent = false
			for _, p := range own {
				dependent = dependent || p.name == t.text
			}
		}
		if !dependent {
			w[t.text] = true
		}
	}
}

// prune drops what no kernel's attributes can ask for, and returns the names
// that they can: hundreds of files see what one header declares, and must not
// each keep it. A class is kept for a member of a wanted name.
func (u *unit) prune() wanted {
	w := wanted{}
	for _, k := range u.kernels {
		for _, a := range k.attributes() {
			for _, arg := range a.args {
				w.want(arg, k.params)
			}
		}
		w.want(k.spec, nil)
	}
	for size := -1; size < len(w); {
		size = len(w)
		w.follow(u.root, map[*scope]bool{})
	}
	w.sweep(u.root, map[*scope]bool{})
	return w
}

// follow adds what the wanted members of a scope are made of.
func (w wanted) follow(s *scope, seen map[*scope]bool) {
	if seen[s] {
		return
	}
	seen[s] = true
	for name, list := range s.members {
		for _, m := range list {
			if m.inner != nil {
				w.follow(m.inner, seen)
			}
			if !w[name] {
				continue
			}
			w.want(m.value, nil)
			w.want(m.typ, nil)
			if m.previous != nil && m.value == nil {
				w[m.previous.name] = true
			}
			for at := m.scope; at != nil; at = at.parent {
				if at.kind != namespaceScope && at.name != "" {
					w[at.name] = true
				}
			}
		}
	}
	for _, o := range s.open {
		w.follow(o, seen)
	}
}

// sweep deletes the members that nothing asks for.
func (w wanted) sweep(s *scope, seen map[*scope]bool) {
	if seen[s] {
		return
	}
	seen[s] = true
	for name, list := range s.members {
		kept := list[:0]
		for _, m := range list {
			if m.kind != namespaceMember && !w[name] && (m.kind != classMember || name != "") {
				continue
			}
			if m.inner != nil {
				w.sweep(m.inner, seen)
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
		w.sweep(o, seen)
	}
}
