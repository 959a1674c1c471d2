package source

import "strings"

// scopeKind tells scopes apart.
type scopeKind uint8

const (
	namespaceScope scopeKind = iota
	classScope
	enumScope
	linkageScope // extern "C" { }, and blocks whose head is not understood: names pass through
)

// scope is a namespace, a class or an enumeration of one source file.
type scope struct {
	kind    scopeKind
	name    string // empty: not named
	parent  *scope
	members map[string][]*member
	// open are the scopes whose members can be named without their own name:
	// anonymous and inline namespaces, plain enumerations.
	open   []*scope
	usings []using
	cABI   bool     // inside extern "C"
	other  []string // what else a namespace may be called, by a macro under a condition
	count  *int     // declarations of the source file so far

	// Of classes:
	params []param
	bases  bool // it has some
}

// using is a using-directive.
type using struct {
	path   []string
	guards []*guard
	order  int // as of member
}

// memberKind tells what a name stands for.
type memberKind uint8

const (
	constMember memberKind = iota
	classMember
	aliasMember
	namespaceMember
)

// member is one thing that a name stands for in a scope.
type member struct {
	kind   memberKind
	name   string
	scope  *scope // that it is declared in
	guards []*guard
	pos    pos
	order  int // how many declarations of the source file come before it, and itself

	template bool    // it, or a class around it, is a template
	value    []token // initializer, aliased type
	previous *member // of an enumerator without a value: one more than this one
	typ      []token // of a constant, as written
	inner    *scope  // class or namespace
}

// param is one template parameter.
type param struct {
	name     string // may be empty
	isType   bool
	integral bool // declared with an integer type, so that it can't be a type
	pack     bool
	fallback []token // the default
}

func newScope(kind scopeKind, name string, parent *scope) *scope {
	s := &scope{kind: kind, name: name, parent: parent, members: map[string][]*member{}}
	if parent != nil {
		s.cABI, s.count = parent.cABI, parent.count
	} else {
		s.count = new(int)
	}
	return s
}

func (s *scope) add(m *member) {
	*s.count++
	m.order = *s.count
	m.template = m.template || s.inTemplate()
	s.members[m.name] = append(s.members[m.name], m)
}

// namespace returns the namespace name inside s, the same one each time it is
// opened.
func (s *scope) namespace(name string, inline bool) *scope {
	s = s.named()
	for _, m := range s.members[name] {
		if m.kind == namespaceMember {
			return m.inner
		}
	}
	inner := newScope(namespaceScope, name, s)
	s.add(&member{kind: namespaceMember, name: name, scope: s, inner: inner})
	if inline || name == "" || name == unknownName {
		s.open = append(s.open, inner)
	}
	return inner
}

// named is the scope that declarations inside s belong to.
func (s *scope) named() *scope {
	for s.kind == linkageScope && s.parent != nil {
		s = s.parent
	}
	return s
}

// anonymousNamespace is how demanglers print it.
const anonymousNamespace = "(anonymous namespace)"

// path names s from the outermost scope in, the way demanglers print it.
func (s *scope) path() []string {
	var parts []string
	for ; s != nil && s.parent != nil; s = s.parent {
		switch {
		case s.kind == linkageScope, s.name == unknownName:
		case s.name == "" && s.kind == namespaceScope:
			parts = append([]string{anonymousNamespace}, parts...)
		default:
			parts = append([]string{s.name}, parts...)
		}
	}
	return parts
}

// paths are the names of s in each way that its namespaces can be called; of
// those that only the build knows, unknownName stands in them. Nil: there is
// one way, and it is path.
func (s *scope) paths() [][]string {
	all, several := [][]string{nil}, false
	for ; s != nil && s.parent != nil; s = s.parent {
		if s.kind == linkageScope {
			continue
		}
		name := s.name
		if name == "" && s.kind == namespaceScope {
			name = anonymousNamespace
		}
		var next [][]string
		for _, name := range append([]string{name}, s.other...) {
			several = several || name == unknownName || name == listName || len(s.other) > 0
			for _, rest := range all {
				if len(next) < maxNames {
					next = append(next, append([]string{name}, rest...))
				}
			}
		}
		all = next
	}
	if !several {
		return nil
	}
	return all
}

func (s *scope) internal() bool {
	for ; s != nil && s.parent != nil; s = s.parent {
		if s.kind == namespaceScope && s.name == "" {
			return true
		}
	}
	return false
}

func qualify(path []string, name string) string {
	return strings.Join(append(path[:len(path):len(path)], name), "::")
}

// inTemplate reports whether s is, or is in, a class template.
func (s *scope) inTemplate() bool {
	for ; s != nil; s = s.parent {
		if s.kind == classScope && s.params != nil {
			return true
		}
	}
	return false
}
