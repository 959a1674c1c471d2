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

	pos      pos // of __global__
	first    pos // of the first token of the declaration
	lastLine int32
	guards   []*guard
	scope    *scope
	unit     *unit
	cABI     bool // extern "C": its name in a log is the bare one
	internal bool // static or in an anonymous namespace
	template bool
	params   []param
	spec     []token // the arguments of an explicit specialization; nil for others
	arity    int     // parameters of the function

	bounds  []attribute // __launch_bounds__
	maxnreg []attribute
	block   []attribute // __block_size__
	hidden  []token     // names in its head that could be macros that carry bounds
	partial bool        // its head has more forms than are read
	dynamic []sharedUse
	notes   *Comments
}

// attribute is one attribute of a kernel: its arguments as tokens.
type attribute struct {
	name string
	args [][]token
	pos  pos
}

// sharedUse is a place where a kernel touches memory whose size the launch
// decides.
type sharedUse struct{ guard *guard }

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
	k.scope, k.cABI = s.scope, s.scope.cABI
	h := kernelHead{k: k}
	h.read(rest)
	if h.name == nil {
		return
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
	k.lastLine = toks[len(toks)-1].pos.line
	if b != nil {
		k.dynamic = s.sharedUses(*b)
		if b.from > 0 && b.from <= len(s.toks) {
			k.lastLine = s.toks[b.from-1].pos.line
		}
	}
	s.unit.kernels = append(s.unit.kernels, k)
}

// cutEarlierStatements drops what stands before the declaration and lacks a
// semicolon: calls of macros that nobody defines, each on lines of its own.
func cutEarlierStatements(toks []token) []token {
	for len(toks) > 2 && toks[0].kind == ident && toks[1].is("(") {
		end := matching(toks, 1)
		if end < 0 || end+1 >= len(toks) || !toks[end+1].first || mayCarryBounds(toks[0].text) {
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

// kernelHead reads "extern "C" static __global__ void ATTRIBUTES a::b<spec>(…)".
type kernelHead struct {
	k      *Kernel
	name   *token
	path   []string // of a qualified name
	static bool
}

// words of a head that are neither attributes nor the name.
var headWords = map[string]bool{
	"__global__": true, "static": true, "inline": true, "extern": true, "void": true, "constexpr": true, "const": true,
	"__host__": true, "__device__": true, "__noinline__": true, "__forceinline__": true, "volatile": true, "typename": true,
	"auto": true, "template": true, "__inline__": true, "register": true, "consteval": true, "virtual": true, "__restrict__": true,
	"__grid_constant__": true, "noexcept": true, "requires": true,
	// Attributes of CUDA that say nothing about registers or threads per block.
	"__cluster_dims__": true, "__nv_pure__": true,
}

// candidate is a name that brackets follow: the function, or a macro.
type candidate struct {
	at   int
	path []string
	spec []token
	args int // index of the opening bracket
}

func (h *kernelHead) read(toks []token) {
	var found []candidate
	var loose []int // names that are no candidate and no known word
	seenVoid, colons := false, false
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if n := h.attribute(toks, i); n > 0 {
			i += n - 1
			continue
		}
		switch {
		case t.is(":") || t.is("->"):
			colons = true
		case t.kind == str && i > 0 && toks[i-1].isIdent("extern"):
			h.k.cABI = h.k.cABI || t.text == `"C"`
		case t.isIdent("__global__"):
			h.k.pos = t.pos
		case t.isIdent("static"):
			h.static = true
		case t.isIdent("void"):
			seenVoid = true
		case t.kind == ident || t.kind == raised:
			if headWords[t.text] || colons {
				continue
			}
			c, end := candidateAt(toks, i)
			if c.args > 0 {
				found = append(found, c)
			} else if end == i && !isQualifier(toks, i) {
				loose = append(loose, i)
			}
			i = max(i, end)
		case t.is("("):
			if end := matching(toks, i); end > 0 {
				i = end
			}
		case t.is("<"):
			if end := angle(toks, i); end > 0 {
				i = end
			}
		}
	}
	h.choose(toks, found, loose, seenVoid)
}

func isQualifier(toks []token, i int) bool {
	return i+1 < len(toks) && toks[i+1].is("::") || i > 0 && toks[i-1].is("::")
}

// candidateAt reads a qualified name at i, with its template arguments, and
// whether brackets follow. It returns the index of the last token it took.
func candidateAt(toks []token, i int) (candidate, int) {
	c := candidate{at: i}
	for i+2 < len(toks) && toks[i+1].is("::") && toks[i+2].kind == ident {
		c.path = append(c.path, toks[i].text)
		i += 2
		c.at = i
	}
	end := i
	if i+1 < len(toks) && toks[i+1].is("<") {
		close := angle(toks, i+1)
		if close < 0 {
			return c, i
		}
		c.spec = toks[i+2 : close]
		if c.spec == nil {
			c.spec = []token{}
		}
		end = close
	}
	if end+1 < len(toks) && toks[end+1].is("(") {
		if close := matching(toks, end+1); close > 0 {
			c.args = end + 1
			return c, close
		}
	}
	return c, end
}

// choose tells the function's name from macros that nobody defines. The
// latter could carry launch bounds, which makes the kernel unresolved.
func (h *kernelHead) choose(toks []token, found []candidate, loose []int, seenVoid bool) {
	if len(found) == 0 {
		return
	}
	pick := len(found) - 1
	for pick > 0 && looksLikeMacro(toks[found[pick].at].text) && !looksLikeMacro(toks[found[pick-1].at].text) {
		pick--
	}
	c := found[pick]
	h.name, h.path = &toks[c.at], c.path
	if c.spec != nil {
		h.k.spec = append([]token{}, c.spec...)
	}
	end := matching(toks, c.args)
	h.k.arity = arity(toks[c.args+1 : end])
	for i, o := range found {
		// A return type such as enable_if<…>::type can end in brackets too.
		if i != pick && len(o.path) == 0 && o.spec == nil {
			h.k.hidden = append(h.k.hidden, toks[o.at])
		}
	}
	for _, i := range loose {
		// With a void in the head any other loose name is a macro; without,
		// one of them is the return type.
		if i < c.at && (toks[i].kind == raised || looksLikeMacro(toks[i].text) || seenVoid && i > 0 && toks[i-1].isIdent("void")) {
			h.k.hidden = append(h.k.hidden, toks[i])
		}
	}
}

// looksLikeMacro: people write macros in capitals.
func looksLikeMacro(name string) bool {
	return strings.ToUpper(name) == name && strings.ContainsAny(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && len(name) > 1 ||
		strings.HasPrefix(name, "__")
}

func arity(toks []token) int {
	if len(toks) == 0 || len(toks) == 1 && toks[0].isIdent("void") {
		return 0
	}
	return len(split(toks, ","))
}

// attribute reads the attribute at i, keeps it when it declares bounds, and
// returns how many tokens it has.
func (h *kernelHead) attribute(toks []token, i int) int {
	t := toks[i]
	if t.kind != ident {
		return attributeAt(toks, i)
	}
	switch t.text {
	case "__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__block_size__", "__noinline__", "__nv_weak_odr__":
		if i+1 >= len(toks) || !toks[i+1].is("(") {
			return 1
		}
		end := matching(toks, i+1)
		if end < 0 {
			return 1
		}
		h.keep(strings.Trim(t.text, "_"), toks[i+2:end], t.pos)
		return end + 1 - i
	case "__attribute__", "__declspec":
		// __attribute__((launch_bounds(256, 4))) is what the macros stand for.
		n := attributeAt(toks, i)
		for j := i; j < i+n; j++ {
			word := strings.Trim(toks[j].text, "_")
			if toks[j].kind == ident && (word == "launch_bounds" || word == "maxnreg") && j+1 < len(toks) && toks[j+1].is("(") {
				if end := matching(toks, j+1); end > 0 {
					h.keep(word, toks[j+2:end], t.pos)
					j = end
				}
			}
		}
		return n
	}
	return attributeAt(toks, i)
}

func (h *kernelHead) keep(name string, args []token, p pos) {
	a := attribute{name: name, pos: p}
	if len(args) > 0 {
		a.args = split(slices.Clone(args), ",")
	}
	switch name {
	case "launch_bounds":
		h.k.bounds = append(h.k.bounds, a)
	case "maxnreg":
		h.k.maxnreg = append(h.k.maxnreg, a)
	case "block_size":
		h.k.block = append(h.k.block, a)
	}
}

// Comments is what the comments beside k say; nil where there are none.
func (k *Kernel) Comments() *Comments { return k.notes }

// Place is where k's __global__ stands.
func (k *Kernel) Place() parse.Place { return k.pos.place() }
