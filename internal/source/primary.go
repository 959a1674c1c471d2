package source

import "strconv"

func startsOperand(t token) bool {
	switch t.kind {
	case ident, number, char, raised:
		return true
	case punct:
		return t.text == "(" || t.text == "-" || t.text == "~" || t.text == "!" || t.text == "::"
	default:
		return false
	}
}

func (e *evaluator) primary() (value, *failure) {
	t := e.peek()
	switch t.kind {
	case number:
		e.i++
		v, f := literal(t)
		return e.lenient(v, f)
	case char:
		e.i++
		v, f := character(t)
		return e.lenient(v, f)
	case ident, raised:
		switch t.text {
		case "true", "false":
			e.i++
			return truth(t.text == "true"), nil
		case "sizeof":
			return e.sizeOf()
		case "static_cast", "const_cast", "reinterpret_cast":
			return e.staticCast()
		}
		return e.named()
	case punct:
		if t.text == "::" {
			return e.named()
		}
	case eof:
		return value{}, failing(t.pos, "the expression ends too early")
	default:
	}
	return value{}, failing(t.pos, strconv.Quote(shortText(t.text)), " is not understood")
}

// named reads a name, or a conversion T(x) or T{x}.
func (e *evaluator) named() (value, *failure) {
	start := e.i
	if end, ok := e.typeBefore(); ok {
		last := matching(e.toks, end)
		inner := e.toks[end+1 : last]
		v, f := value{}, (*failure)(nil)
		if len(inner) > 0 {
			v, f = evaluateDeep(inner, e.names, e.at, e.depth)
		}
		if f == nil {
			v, _, f = e.names.cast(e.toks[start:end], v, e.toks[start].pos)
		}
		e.i = last + 1
		return e.lenient(v, f)
	}
	v, f := e.names.name(e)
	if e.i == start { // a name must be taken, or the loop would not end
		e.i++
	}
	return e.lenient(v, f)
}

// typeBefore reports whether a type followed by brackets stands here: int(x),
// unsigned{4}. It returns the index of the bracket.
func (e *evaluator) typeBefore() (int, bool) {
	j := e.i
	for j < len(e.toks) && (e.toks[j].kind == ident || e.toks[j].is("::")) {
		j++
	}
	if j == e.i || j >= len(e.toks) || !e.toks[j].is("(") && !e.toks[j].is("{") || matching(e.toks, j) < 0 {
		return 0, false
	}
	_, isType, _ := e.names.cast(e.toks[e.i:j], value{}, e.toks[e.i].pos)
	return j, isType
}

func (e *evaluator) staticCast() (value, *failure) {
	t := e.peek()
	end := -1
	if e.i+1 < len(e.toks) && e.toks[e.i+1].is("<") {
		end = angle(e.toks, e.i+1)
	}
	if end < 0 || end+1 >= len(e.toks) || !e.toks[end+1].is("(") {
		return value{}, failing(t.pos, "a cast is not understood")
	}
	target := e.toks[e.i+2 : end]
	e.i = end + 1
	v, f := e.bracket()
	if f != nil {
		return v, f
	}
	v, isType, f := e.names.cast(target, v, t.pos)
	if f == nil && !isType {
		f = failing(t.pos, "the type ", strconv.Quote(shortText(spell(target))), " is not known")
	}
	return e.lenient(v, f)
}

func (e *evaluator) sizeOf() (value, *failure) {
	t := e.peek()
	if e.i+1 >= len(e.toks) || !e.toks[e.i+1].is("(") {
		return value{}, failing(t.pos, t.text, " without brackets is not understood")
	}
	end := matching(e.toks, e.i+1)
	if end < 0 {
		return value{}, failing(t.pos, "a bracket is not closed")
	}
	v, f := e.names.sizeOf(e.toks[e.i+2:end], t.pos)
	e.i = end + 1
	return e.lenient(v, f)
}
