package source

import "strings"

// brace says what an opening brace opens.
type brace uint8

const (
	braceFunction brace = iota
	braceNamespace
	braceLinkage
	braceClass
	braceEnum
	braceInit
)

// head is what stands before a brace.
type head struct {
	names  []string // of a namespace a::b: both; a name that the build makes is unknownName
	inline bool
	cABI   bool
	params []param // of a class template
	bases  bool
	scoped bool // enum class
	pos    pos
}

// classify reads the tokens before a brace.
func classify(toks []token) (brace, head) {
	var h head
	toks, h.params = templateHead(toks)
	toks = skipNamespaceMacros(skipAttributes(toks))
	if len(toks) == 0 {
		return braceLinkage, h
	}
	h.pos = toks[0].pos
	i := 0
	if toks[0].isIdent("inline") {
		h.inline = true
		i++
	}
	if i < len(toks) && toks[i].isIdent("namespace") {
		h = namespaceHead(skipAttributes(toks[i+1:]), h)
		if len(h.names) == 0 {
			return braceLinkage, h
		}
		return braceNamespace, h
	}
	if len(toks) == 2 && toks[0].isIdent("extern") && toks[1].kind == str {
		h.cABI = toks[1].text == `"C"`
		return braceLinkage, h
	}
	for i = 0; i < len(toks) && isSpecifier(toks[i].text); i++ {
	}
	if i < len(toks) && toks[i].kind == ident {
		switch toks[i].text {
		case "class", "struct", "union":
			if classHead(toks[i+1:], &h) {
				return braceClass, h
			}
		case "enum":
			if enumHead(toks[i+1:], &h) {
				return braceEnum, h
			}
		}
	}
	return otherBrace(toks), h
}

// skipNamespaceMacros drops macros that nobody defines from before "namespace":
// libraries have them for a namespace around their own.
func skipNamespaceMacros(toks []token) []token {
	for i, t := range toks[:min(len(toks), 8)] {
		switch {
		case t.isIdent("namespace"):
			return toks[i:]
		case t.kind == raised, t.kind == ident && looksLikeMacro(t.text):
		default:
			return toks
		}
	}
	return toks
}

func isSpecifier(s string) bool {
	switch s {
	case "typedef", "static", "const", "constexpr", "inline", "extern", "volatile", "__device__", "__host__", "__constant__", "__shared__", "export":
		return true
	}
	return false
}

// unknownName stands for the name of a namespace that is a macro of the
// build's, which can also be none or several. listName stands for one that has
// the build's list of architectures in it, as CUB's have: it is always there.
const unknownName, listName = "?", "?list"

func namespaceHead(toks []token, h head) head {
	for _, t := range toks {
		switch {
		case t.isIdent("inline"):
			h.inline = true
		case t.kind == raised:
			h.names = append(h.names, unknownName)
		case t.kind == ident && strings.Contains(t.text, "__CUDA_ARCH_LIST__"):
			h.names = append(h.names, listName)
		case t.kind == ident:
			h.names = append(h.names, t.text)
		case t.is("("): // of a macro that nobody defines
			if n := len(h.names); n > 0 {
				h.names[n-1] = unknownName
				return h
			}
			h.names = []string{""}
			return h
		}
	}
	if len(h.names) == 0 {
		h.names = []string{""}
	}
	return h
}

// classHead reads the name, arguments and bases of a class definition. It
// reports false for what only begins like one: struct S f() {.
func classHead(toks []token, h *head) bool {
	toks = skipAttributes(toks)
	if len(toks) == 0 {
		h.names = []string{""}
		return true
	}
	// A macro that nobody defines can stand before the name: struct API S {.
	i := 0
	for i+1 < len(toks) && toks[i].kind == ident && toks[i+1].kind == ident && toks[i+1].text != "final" {
		i++
	}
	if toks[i].kind != ident {
		return false
	}
	for i+2 < len(toks) && toks[i+1].is("::") && toks[i+2].kind == ident {
		i += 2
	}
	h.names = []string{toks[i].text}
	h.pos = toks[i].pos
	i++
	if i < len(toks) && toks[i].is("<") {
		end := angle(toks, i)
		if end < 0 {
			return false
		}
		if h.params == nil { // a specialization
			h.params = []param{}
		}
		i = end + 1
	}
	if i < len(toks) && toks[i].isIdent("final") {
		i++
	}
	if i == len(toks) {
		return true
	}
	if !toks[i].is(":") {
		return false
	}
	h.bases = true
	return true
}

func enumHead(toks []token, h *head) bool {
	if len(toks) > 0 && (toks[0].isIdent("class") || toks[0].isIdent("struct")) {
		h.scoped = true
		toks = toks[1:]
	}
	toks = skipAttributes(toks)
	h.names = []string{""}
	for i, t := range toks {
		if t.is(":") {
			break
		}
		if t.is("(") || i > 0 && toks[i-1].kind == ident && t.kind == ident {
			return false
		}
		if t.kind == ident {
			h.names[0] = t.text
		}
	}
	return true
}

// otherBrace tells a function's body from an initializer.
func otherBrace(toks []token) brace {
	call, constant := false, false
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.is("("):
			call = true
			end := matching(toks, i)
			if end < 0 {
				return braceFunction
			}
			i = end
		case t.is("<"):
			if end := angle(toks, i); end > 0 {
				i = end
			}
		case t.is("="):
			if i == 0 || !toks[i-1].isIdent("operator") {
				return braceInit
			}
		case t.isIdent("operator"):
			return braceFunction
		case t.isIdent("const"), t.isIdent("constexpr"):
			constant = true
		}
	}
	switch {
	case call:
		return braceFunction
	case constant || len(toks) > 1:
		return braceInit
	}
	return braceLinkage
}
