package source

import (
	"slices"
	"strings"
)

// outline is what a file has, by a look at its tokens alone. Most files have
// nothing that is of use here: of these only the directives are followed.
type outline struct {
	kernels    bool // words that only kernels have
	shared     bool // extern __shared__
	comments   bool // for occlint, or what looks like one
	nested     bool // an #include inside of braces, or braces that do not balance
	renumbered bool // #line changes what __LINE__ is
	typedefs   bool
	enums      bool
	includes   []int32 // offsets of the #include directives
}

// outlineOf lexes a file and keeps its directives.
func outlineOf(path, text string) *file {
	f := lex(path, text)
	o := &f.outline
	o.comments = strings.Contains(text, "cclint") || strings.Contains(text, "CCLINT")
	depth, directives := 0, 0
	for i := 0; i < len(f.tokens); {
		if !opensDirective(f.tokens[i]) {
			depth += o.token(f.tokens, i)
			i++
			continue
		}
		end := lineEnd(f.tokens, i)
		o.directive(f.tokens[i+1:end], f.tokens[i].pos, depth)
		directives += end - i
		i = end
	}
	o.nested = o.nested || depth != 0
	f.lines = make([]token, 0, directives)
	for i := 0; i < len(f.tokens); i++ {
		if opensDirective(f.tokens[i]) {
			end := lineEnd(f.tokens, i)
			f.lines = append(f.lines, f.tokens[i:end]...)
			i = end - 1
		}
	}
	f.guardBy = includeGuard(f.tokens)
	f.whole = false
	f.release()
	if !o.comments {
		f.comments = nil
	}
	return f
}

func (o *outline) directive(line []token, at pos, depth int) {
	switch {
	case len(line) == 0:
	case line[0].kind == number || line[0].isIdent("line"):
		o.renumbered = true
	case line[0].isIdent("include"), line[0].isIdent("include_next"), line[0].isIdent("import"):
		o.nested = o.nested || depth != 0
		o.includes = append(o.includes, at.offset)
	}
}

// token notes what one token of the text says, and returns what it adds to the
// depth of braces.
func (o *outline) token(toks []token, i int) int {
	t := toks[i]
	switch {
	case t.is("{"):
		return 1
	case t.is("}"):
		return -1
	case t.kind != ident:
	case kernelWord(toks, i):
		o.kernels = true
	case t.text == "extern":
		o.shared = o.shared || declaresShared(toks[i:])
	case t.text == "typedef":
		o.typedefs = true
	case t.text == "enum":
		o.enums = true
	}
	return 0
}

// kernelWord reports whether a token shows that a kernel stands around it.
func kernelWord(toks []token, i int) bool {
	switch toks[i].text {
	case "__global__", "__launch_bounds__", "__maxnreg__", "__block_size__":
		return true
	case "global", "launch_bounds", "maxnreg":
		return i > 1 && toks[i-1].is("(") || i > 0 && toks[i-1].is(",")
	}
	return false
}

// define is one #define, wherever it counts.
type define struct {
	name   string
	body   []token
	braces int // how many more it opens than it closes
}

// defined lists the macros of a file.
func (f *file) defined() []define {
	var all []define
	for i := 0; i < len(f.lines); {
		end := lineEnd(f.lines, i)
		if line := f.lines[i+1 : end]; len(line) > 1 && line[0].isIdent("define") && line[1].kind == ident {
			d := define{name: line[1].text, body: line[2:]}
			for _, t := range d.body {
				switch {
				case t.is("{"):
					d.braces++
				case t.is("}"):
					d.braces--
				}
			}
			all = append(all, d)
		}
		i = end
	}
	return all
}

// word is one identifier of a text, with what stands around it.
type word struct {
	text, previous string
	offset         int
	next           byte // the first character behind it that is no blank; 0 at the end
	assigned       bool // next is an = that is no ==
}

// words calls found for each identifier of a text, also in comments and
// strings, until it returns true.
func words(text string, found func(word) bool) bool {
	previous := ""
	for i := 0; i < len(text); {
		c := text[i]
		if !isIdentStart(c) {
			if isDigit(c) { // no name begins inside a number
				for i < len(text) && isIdentPart(text[i]) {
					i++
				}
				continue
			}
			i++
			continue
		}
		from := i
		for i < len(text) && isIdentPart(text[i]) {
			i++
		}
		w := word{text: text[from:i], previous: previous, offset: from}
		previous = w.text
		j := i
		for j < len(text) && (text[j] == ' ' || text[j] == '\t' || text[j] == '\n' || text[j] == '\r') {
			j++
		}
		if j < len(text) {
			w.next = text[j]
			w.assigned = w.next == '=' && (j+1 >= len(text) || text[j+1] != '=')
		}
		if found(w) {
			return true
		}
	}
	return false
}

// mayDefine reports whether a file may say what a wanted name is.
func (f *file) mayDefine(names wanted) bool {
	return words(f.text, func(w word) bool {
		if !names[w.text] {
			return false
		}
		switch w.previous {
		case "struct", "class", "union", "enum", "namespace", "using":
			return true
		}
		switch w.next {
		case '=':
			return w.assigned
		case '{', '(':
			return true
		case ',', '}':
			return f.outline.enums
		case ';':
			return f.outline.typedefs || w.previous == "using"
		}
		return false
	})
}

// has reports whether one of the names stands in a file.
func (f *file) has(names map[string]bool) bool {
	return len(names) > 0 && words(f.text, func(w word) bool { return names[w.text] })
}

// opens reports whether a file includes another inside of braces that macros
// open, or leaves such a brace open. macros maps them to how many braces they
// open.
func (f *file) opens(macros map[string]int) bool {
	if len(macros) == 0 {
		return false
	}
	depth := 0
	includes := f.outline.includes
	found := words(f.text, func(w word) bool {
		for len(includes) > 0 && int(includes[0]) < w.offset {
			if includes = includes[1:]; depth != 0 {
				return true
			}
		}
		if w.previous != "define" {
			depth += macros[w.text]
		}
		return false
	})
	return found || depth != 0
}

// carriers are the macros whose expansion has what only kernels have, or
// another carrier.
func carriers(all []define) map[string]bool {
	found := map[string]bool{}
	for size := -1; size != len(found); {
		size = len(found)
		for _, d := range all {
			if found[d.name] {
				continue
			}
			for i, t := range d.body {
				if t.kind == ident && (kernelWord(d.body, i) || found[t.text] || t.text == "extern" && slices.ContainsFunc(d.body, func(t token) bool { return t.isIdent("__shared__") })) {
					found[d.name] = true
					break
				}
			}
		}
	}
	return found
}
