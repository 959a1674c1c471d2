package source

import (
	"slices"
	"strings"

	"github.com/occlint/occlint/parse"
)

// Kernel is one declaration of a __global__ function. A kernel that is
// declared and defined, or that a condition has in two forms, is several.
type Kernel struct {
	// Name is the qualified name without template arguments, as demanglers
	// print it: "lin::saxpy", "(anonymous namespace)::hidden".
	Name       string
	Definition bool

	// names are the parts of its name in each way that the namespaces around
	// it can be called; nil where there is one.
	names    [][]string
	pos      pos // of __global__
	first    pos // of the first token of the declaration
	lastLine int32
	guards   []*guard
	scope    *scope
	order    int // as of member
	unit     *unit
	cABI     bool // extern "C": its name in a log is the bare one
	internal bool // static or in an anonymous namespace
	template bool
	params   []param
	spec     []token  // the arguments of an explicit specialization; nil for others
	arity    int      // parameters of the function
	types    []string // of them; see signature

	bounds    []attribute // __launch_bounds__
	maxnreg   []attribute
	block     []attribute // __block_size__
	hidden    []token     // names in its head that could be macros that carry bounds
	partial   bool        // its head has more forms than are read
	dynamic   []*guard    // where it touches memory whose size the launch decides
	body      *body       // in the tokens of the file; nil for declarations, and once it was read
	bodyGuard *guard
	notes     *Comments
}

// attribute is one attribute of a kernel: its arguments as tokens.
type attribute struct {
	name string
	args [][]token
	all  []token // the arguments and their commas
	pos  pos
}

// kernel reads the head of a __global__ function.
func (s *scanner) kernel(toks []token, guards []*guard, b *body, all bool) {
	k := &Kernel{unit: s.unit, guards: guards, Definition: b != nil, partial: !all, first: toks[0].pos, arity: -1}
	toks = cutEarlierStatements(toks)
	if len(toks) > 0 {
		k.first = toks[0].pos
	}
	if toks[0].isIdent("template") && len(toks) > 1 && !toks[1].is("<") {
		return // an explicit instantiation declares nothing new
	}
	if toks[0].isIdent("extern") && len(toks) > 1 && toks[1].isIdent("template") {
		return
	}
	if toks[0].isIdent("friend") || toks[0].isIdent("template") && hasFriend(toks) {
		return // the declaration outside of the class counts
	}
	k.template = toks[0].isIdent("template")
	rest, params := templateHead(toks)
	k.params = params
	k.scope, k.cABI, k.order = s.scope, s.scope.cABI, *s.scope.count
	h := kernelHead{k: k}
	h.read(rest)
	if h.name == nil {
		return
	}
	if k.pos.file == nil {
		k.pos = k.attributePos()
	}
	if k.pos.file == nil {
		k.pos = k.first
	}
	if h.static || s.scope.internal() {
		// What has internal linkage keeps its C++ name in extern "C" too.
		k.internal, k.cABI = true, false
	}
	if s.scope.named().kind == classScope {
		// nvcc allows no member kernels, but the name of a class may stand
		// for a namespace that a macro opened.
		k.params = append(classParams(s.scope), k.params...)
	}
	path := append(s.scope.path(), h.path...)
	k.Name = qualify(path, h.name.text)
	if k.cABI {
		k.Name = h.name.text
	}
	for _, step := range h.path {
		if inner := findScope(k.scope, step); inner != nil {
			k.scope = inner
		}
	}
	if !k.cABI {
		for _, p := range s.scope.paths() {
			k.names = append(k.names, append(slices.Concat(p, h.path), h.name.text))
		}
	}
	k.lastLine = toks[len(toks)-1].pos.line
	if b != nil {
		k.body, k.bodyGuard = b, s.guard
		if b.from > 0 && b.from <= len(s.toks) {
			k.lastLine = s.toks[b.from-1].pos.line
		}
	}
	s.unit.kernels = append(s.unit.kernels, k)
}

// cutEarlierStatements drops what stands before the declaration and lacks a
// semicolon: macros that nobody defines, with and without arguments, each on
// lines of its own.
func cutEarlierStatements(toks []token) []token {
	for len(toks) > 2 && (toks[0].kind == ident || toks[0].kind == raised) && !mayCarryBounds(toks[0].text) {
		end := 0
		if toks[1].is("(") {
			if end = matching(toks, 1); end < 0 {
				break
			}
		} else if !looksLikeMacro(toks[0].text) || strings.HasPrefix(toks[0].text, "__") {
			break
		}
		if end+1 >= len(toks) || !toks[end+1].first {
			break
		}
		toks = toks[end+1:]
	}
	return toks
}

func hasFriend(toks []token) bool {
	for _, t := range toks {
		if t.isIdent("friend") {
			return true
		}
	}
	return false
}

func mayCarryBounds(name string) bool {
	name = strings.ToUpper(name)
	return strings.Contains(name, "BOUND") || strings.Contains(name, "LAUNCH") || strings.Contains(name, "MAXNREG") || strings.Contains(name, "KERNEL")
}

// classParams are the template parameters of the classes around a scope.
func classParams(s *scope) []param {
	var params []param
	for ; s != nil; s = s.parent {
		if s.kind == classScope {
			params = append(append([]param{}, s.params...), params...)
		}
	}
	return params
}

func findScope(s *scope, name string) *scope {
	for _, m := range s.named().members[name] {
		if m.inner != nil {
			return m.inner
		}
	}
	return nil
}

// Comments is what the comments beside k say; nil where there are none.
func (k *Kernel) Comments() *Comments { return k.notes }

// Place is where k's __global__ stands.
func (k *Kernel) Place() parse.Place { return k.pos.place() }

// Conditional reports whether k stands under a condition, so that a build may
// not have it.
func (k *Kernel) Conditional() bool { return len(k.guards) > 0 }
