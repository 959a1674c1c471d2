package source

import "strconv"

// The limits keep hostile and accidental input in bounded time and memory.
// They are far above what hand-written code has.
const (
	maxFileBytes    = 16 << 20
	maxUnitTokens   = 8 << 20 // after preprocessing, one source file with all it includes
	maxExpansion    = 1 << 18 // of one macro
	maxMacroDepth   = 100     // arguments within arguments
	maxMacroEntries = 64      // conditional definitions of one name
	maxIncludeDepth = 64
	maxIncludes     = 4000 // in one source file
	maxConditions   = 128  // that hold at one place
)

// frame is a run of tokens that is being read: the text, or a macro's result.
type frame struct {
	toks []token
	i    int
	name string // of the macro that made it; it is not expanded within
}

// expansion reads tokens, expanding macros as they come.
type expansion struct {
	p      *preprocessor
	frames []frame
	active map[string]int
	depth  int
}

// expand appends toks to dst with their macros expanded.
func (p *preprocessor) expand(dst, toks []token, active map[string]int, depth int) []token {
	if depth > maxMacroDepth {
		p.fail("macro arguments nest more than %d deep", maxMacroDepth)
		return dst
	}
	x := &expansion{p: p, frames: []frame{{toks: toks}}, active: active, depth: depth}
	for !p.failed() {
		t, ok := x.next()
		if !ok {
			break
		}
		if t.kind != ident || t.blue {
			dst = p.emit(dst, t)
			continue
		}
		dst = x.identifier(dst, t)
	}
	for _, f := range x.frames { // given up halfway
		if f.name != "" {
			x.active[f.name]--
		}
	}
	return dst
}

func (p *preprocessor) emit(dst []token, t token) []token {
	if p.spent++; p.spent > maxUnitTokens {
		p.fail("preprocessed text is longer than %d tokens", maxUnitTokens)
	}
	return append(dst, t)
}

// next takes the next token, leaving finished macros behind.
func (x *expansion) next() (token, bool) {
	for len(x.frames) > 0 {
		f := &x.frames[len(x.frames)-1]
		if f.i < len(f.toks) {
			f.i++
			return f.toks[f.i-1], true
		}
		if f.name != "" {
			x.active[f.name]--
		}
		x.frames = x.frames[:len(x.frames)-1]
	}
	return token{}, false
}

// peek looks at the next token without taking it or ending a macro.
func (x *expansion) peek() (token, bool) {
	for i := len(x.frames) - 1; i >= 0; i-- {
		if f := x.frames[i]; f.i < len(f.toks) {
			return f.toks[f.i], true
		}
	}
	return token{}, false
}

func (x *expansion) identifier(dst []token, t token) []token {
	p := x.p
	if t.text == "__LINE__" && (t.pos.file == nil || !t.pos.file.outline.renumbered) {
		t.kind, t.text = number, strconv.Itoa(int(t.pos.line))
		return p.emit(dst, t)
	}
	if t.text == "_Pragma" {
		x.pragmaOperator()
	}
	plain, isPlain := p.plain(t.text)
	if isPlain && plain == nil {
		if f := p.asked[t.text]; f != nil && p.guard.decide(f) == yes {
			t.kind = raised // it stands in a branch for builds that pass it
		}
		return p.emit(dst, t)
	}
	if x.active[t.text] > 0 {
		t.blue = true
		return p.emit(dst, t)
	}
	// Each replacement costs as much as some tokens, also one by nothing.
	p.spent += 4
	if isPlain && !plain.function && !plain.external {
		x.push(t.text, plain.substitute(p, t, nil, nil))
		return dst
	}
	alternatives := p.meanings(t.text)
	args, called := x.arguments(alternatives)
	if p.failed() {
		return dst
	}
	if len(alternatives) == 1 {
		if toks, ok := x.replace(t, alternatives[0].macro, args, called); ok {
			x.push(t.text, toks)
			return dst
		}
		return p.asItIs(dst, t, alternatives[0].macro, args, called)
	}
	// The name means different things under different conditions: all of them
	// go on, each under its own.
	outer := p.guard
	defer func() { p.guard = outer }()
	kind := markEnter
	for _, a := range alternatives {
		p.guard = outer.under(a.when, true)
		dst = p.emit(dst, token{kind: kind, guard: p.guard, pos: t.pos})
		kind = markBranch
		toks, ok := x.replace(t, a.macro, args, called)
		if !ok {
			dst = p.asItIs(dst, t, a.macro, args, called)
			continue
		}
		x.active[t.text]++
		dst = p.expand(dst, toks, x.active, x.depth+1)
		x.active[t.text]--
	}
	return p.emit(dst, token{kind: markExit, guard: outer, pos: t.pos})
}

func (x *expansion) push(name string, toks []token) {
	x.active[name]++
	x.frames = append(x.frames, frame{toks: toks, name: name})
}

// asItIs writes a name that no macro replaces. The arguments that were read
// ahead follow it, brackets and all.
func (p *preprocessor) asItIs(dst []token, t token, m *macro, args [][]token, called bool) []token {
	// A function-like macro without its brackets can meet them later.
	t.blue = called || m == nil || !m.function
	if m != nil && m.external {
		t.kind = raised
	}
	dst = p.emit(dst, t)
	if !called {
		return dst
	}
	dst = p.emit(dst, token{kind: punct, text: "(", pos: t.pos})
	for i, a := range args {
		if i > 0 {
			dst = p.emit(dst, token{kind: punct, text: ",", pos: t.pos})
		}
		for _, at := range a {
			dst = p.emit(dst, at)
		}
	}
	return p.emit(dst, token{kind: punct, text: ")", pos: t.pos})
}

// arguments reads the arguments of a macro call when one of the alternatives
// takes any and a bracket follows.
func (x *expansion) arguments(alternatives []alternative) (args [][]token, called bool) {
	takes := false
	for _, a := range alternatives {
		takes = takes || a.macro != nil && a.macro.function
	}
	if !takes {
		return nil, false
	}
	if t, ok := x.peek(); !ok || !t.is("(") {
		return nil, false
	}
	x.next()
	depth := 1
	var arg []token
	for n := 0; ; n++ {
		t, ok := x.next()
		if !ok || n > maxExpansion {
			x.p.fail("a macro call does not end")
			return nil, true
		}
		if t.kind == punct {
			switch t.text {
			case "(", "[", "{":
				// Only round brackets protect a comma; the others are
				// balanced inside them anyway.
				if t.text == "(" {
					depth++
				}
			case ")":
				depth--
			}
			if depth == 0 {
				return append(args, arg), true
			}
			if t.text == "," && depth == 1 {
				args, arg = append(args, arg), nil
				continue
			}
		}
		t.first = false
		arg = append(arg, t)
	}
}

// replace returns what m makes of its call; false when the name stays as it
// is.
func (x *expansion) replace(at token, m *macro, args [][]token, called bool) ([]token, bool) {
	switch {
	case m == nil || m.external || m.function && !called:
		return nil, false
	case !m.function:
		toks := m.substitute(x.p, at, nil, nil)
		if called { // the arguments belong to another alternative: put them back
			toks = append(toks, x.p.asItIs(nil, at, nil, args, true)[1:]...)
		}
		return toks, true
	}
	args, ok := m.fit(args)
	if !ok {
		return nil, false
	}
	ready := make([][]token, len(args))
	done := make([]bool, len(args))
	return m.substitute(x.p, at, args, func(i int) []token {
		if !done[i] {
			ready[i] = x.p.expand(nil, args[i], x.active, x.depth+1)
			done[i] = true
		}
		return ready[i]
	}), true
}

// fit matches the arguments of a call to m's parameters.
func (m *macro) fit(args [][]token) ([][]token, bool) {
	if len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0 {
		return nil, true
	}
	if m.variadic {
		last := len(m.params) - 1
		if len(args) < last {
			return nil, false
		}
		fitted := append([][]token{}, args[:last]...)
		var rest []token
		for i := last; i < len(args); i++ {
			if i > last {
				rest = append(rest, token{kind: punct, text: ","})
			}
			rest = append(rest, args[i]...)
		}
		return append(fitted, rest), true
	}
	return args, len(args) == len(m.params)
}
