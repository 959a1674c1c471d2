package source

import "strconv"

// names is what an expression can ask of the place where it stands.
type names interface {
	// name reads the name at the parser's position, with all that belongs to
	// it (qualifiers, template arguments, call brackets), and returns its value.
	name(e *evaluator) (value, *failure)
	// cast reports whether toks are a type, and converts to it.
	cast(toks []token, v value, p pos) (value, bool, *failure)
	sizeOf(toks []token, p pos) (value, *failure)
}

// evaluator computes one expression.
type evaluator struct {
	toks  []token
	i     int
	names names
	depth int
	skip  int // inside an operand that is not evaluated: failures do not count
	at    pos // for failures at the end
}

const maxDepth = 100

// evaluate computes all of toks.
func evaluate(toks []token, n names, at pos) (value, *failure) {
	return evaluateDeep(toks, n, at, 0)
}

func evaluateDeep(toks []token, n names, at pos, depth int) (value, *failure) {
	if len(toks) == 0 {
		return value{}, failing(at, "an expression is missing")
	}
	e := &evaluator{toks: toks, names: n, at: toks[0].pos, depth: depth}
	v, f := e.ternary()
	if f != nil {
		return v, f
	}
	if e.i < len(e.toks) {
		return v, failing(e.toks[e.i].pos, strconv.Quote(shortText(e.toks[e.i].text)), " is not understood in ", strconv.Quote(shortText(spell(toks))))
	}
	return v, nil
}

func (e *evaluator) peek() token {
	if e.i < len(e.toks) {
		return e.toks[e.i]
	}
	return token{kind: eof, pos: e.at}
}

func (e *evaluator) ternary() (value, *failure) {
	if e.depth++; e.depth > maxDepth {
		return value{}, failing(e.peek().pos, "the expression nests too deep")
	}
	defer func() { e.depth-- }()
	cond, f := e.binary(0)
	if f != nil || !e.peek().is("?") {
		return cond, f
	}
	e.i++
	a, f := e.branch(cond.n != 0, (*evaluator).ternary)
	if f != nil {
		return a, f
	}
	if !e.peek().is(":") {
		return a, failing(e.peek().pos, "a : is missing")
	}
	e.i++
	b, f := e.branch(cond.n == 0, (*evaluator).ternary)
	if f != nil {
		return b, f
	}
	if cond.n != 0 {
		return a, nil
	}
	return b, nil
}

// branch evaluates an operand, or only steps over it.
func (e *evaluator) branch(evaluated bool, operand func(*evaluator) (value, *failure)) (value, *failure) {
	if !evaluated {
		e.skip++
		defer func() { e.skip-- }()
	}
	return operand(e)
}

var precedence = map[string]int{
	"||": 1, "or": 1, "&&": 2, "and": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6,
	"<": 7, "<=": 7, ">": 7, ">=": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

// operator returns the binary operator at the present position, and how many
// tokens it has: two closing angle brackets are a shift.
func (e *evaluator) operator() (string, int) {
	t := e.peek()
	if t.is(">") && e.i+1 < len(e.toks) {
		if n := e.toks[e.i+1]; n.is(">") && !n.space {
			return ">>", 2
		}
	}
	return t.text, 1
}

func (e *evaluator) binary(least int) (value, *failure) {
	left, f := e.unary()
	for f == nil {
		t := e.peek()
		if t.kind != punct && t.kind != ident {
			break
		}
		op, n := e.operator()
		level := precedence[op]
		if level == 0 || level <= least {
			break
		}
		e.i += n
		evaluated := true
		switch op {
		case "||", "or":
			evaluated = left.n == 0
		case "&&", "and":
			evaluated = left.n != 0
		}
		var right value
		right, f = e.branch(evaluated, func(e *evaluator) (value, *failure) { return e.binary(level) })
		if f != nil {
			break
		}
		switch op {
		case "||", "or":
			left = truth(left.n != 0 || evaluated && right.n != 0)
		case "&&", "and":
			left = truth(left.n != 0 && right.n != 0)
		default:
			left, f = operate(op, left, right, t.pos)
			if e.skip > 0 {
				f = nil
			}
		}
	}
	return left, f
}

func (e *evaluator) unary() (value, *failure) {
	if e.depth++; e.depth > maxDepth {
		return value{}, failing(e.peek().pos, "the expression nests too deep")
	}
	defer func() { e.depth-- }()
	t := e.peek()
	switch {
	case t.is("+"):
		e.i++
		return e.unary()
	case t.is("-"):
		e.i++
		v, f := e.unary()
		if f != nil {
			return v, f
		}
		v.n = -v.n
		if e.skip > 0 {
			return v, nil
		}
		return v.settle(t.pos)
	case t.is("!") || t.isIdent("not"):
		e.i++
		v, f := e.unary()
		return truth(v.n == 0), f
	case t.is("~"):
		e.i++
		v, f := e.unary()
		if f == nil && v.unsigned && e.skip == 0 {
			f = failing(t.pos, "~ of an unsigned number")
		}
		v.n = ^v.n
		return v, f
	case t.is("("):
		return e.bracket()
	}
	return e.primary()
}

// bracket reads (expression), or a cast.
func (e *evaluator) bracket() (value, *failure) {
	open := e.peek()
	end := matching(e.toks, e.i)
	if end < 0 {
		return value{}, failing(open.pos, "a bracket is not closed")
	}
	inner := e.toks[e.i+1 : end]
	// (T)x is a cast when T is a type; what follows must then be an operand.
	if end+1 < len(e.toks) && startsOperand(e.toks[end+1]) {
		if _, isType, _ := e.names.cast(inner, value{}, open.pos); isType {
			e.i = end + 1
			v, f := e.unary()
			if f != nil {
				return v, f
			}
			v, _, f = e.names.cast(inner, v, open.pos)
			return e.lenient(v, f)
		}
	}
	e.i++
	v, f := e.ternary()
	if f != nil {
		return v, f
	}
	if e.i != end {
		return v, failing(e.peek().pos, strconv.Quote(shortText(e.peek().text)), " is not understood")
	}
	e.i = end + 1
	return v, nil
}

// lenient forgives a failure in an operand that is not evaluated.
func (e *evaluator) lenient(v value, f *failure) (value, *failure) {
	if e.skip > 0 && f != nil && f.need == nil {
		return value{n: 1}, nil
	}
	return v, f
}
