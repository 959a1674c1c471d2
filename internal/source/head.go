package source

import (
	"slices"
	"strings"
)

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
		last := angle(toks, i+1)
		if last < 0 {
			return c, i
		}
		c.spec = toks[i+2 : last]
		if c.spec == nil {
			c.spec = []token{}
		}
		end = last
	}
	if end+1 < len(toks) && toks[end+1].is("(") {
		if last := matching(toks, end+1); last > 0 {
			c.args = end + 1
			return c, last
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
	h.k.arity, h.k.types = arity(toks[c.args+1:end]), signature(toks[c.args+1:end])
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
	return len(split(toks))
}

func (h *kernelHead) keep(name string, args []token, p pos) {
	a := attribute{name: name, pos: p, all: slices.Clone(args)}
	if len(args) > 0 {
		a.args = split(a.all)
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
			if toks[j].kind == ident && word == "global" {
				h.k.pos = t.pos
			}
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
