package source

import "slices"

// scanner walks over the tokens of one source file and keeps what it
// understands: namespaces, classes, constants and kernels. Function bodies are
// stepped over.
type scanner struct {
	unit   *unit
	toks   []token
	pairs  []int32 // index of each bracket's counterpart
	i      int
	start  int     // of the declaration that is being read
	prefix []token // what of it stands before start, in another branch
	// table says that the declaration has a long initializer: it declares
	// data, and is not read. initializer is where the last one began.
	table       bool
	initializer int
	// startGuard is what held where the declaration began.
	startGuard *guard
	scope      *scope // innermost
	level      *level
	guard      *guard
	conds      []scanCondition
}

// level is an open brace: the scope around it, and the braces around that.
type level struct {
	scope *scope
	outer *level
	kind  levelKind
}

// levelKind tells what stands in a brace.
type levelKind uint8

const (
	scopeLevel levelKind = iota // declarations
	bodyLevel                   // a function's statements
	initLevel                   // values: the declaration goes on behind them
)

// scanCondition is an undecided #if around the place that is being scanned.
type scanCondition struct {
	begin   place  // where it begins
	after   *place // where its first branch ended
	pending []token
	guard   *guard // at the beginning of the pending tokens
	at      int    // index of its first mark
	table   bool   // the pending tokens are of a table
	// continued says that a branch went on with the pending tokens although
	// an earlier one had finished them.
	continued bool
}

func (s *scanner) run() {
	s.pairs = pairs(s.toks)
	for s.i < len(s.toks) {
		t := s.toks[s.i]
		switch {
		case t.isMark():
			s.mark(t)
			s.i++
		case s.level != nil && s.level.kind != scopeLevel:
			s.inside(t)
		case t.kind != punct:
			s.i++
		case t.text == "(" || t.text == "[":
			s.jump()
		case t.text == ";":
			s.declaration(nil)
			s.next()
		case t.text == "{":
			s.open()
		case t.text == "}":
			if s.level != nil {
				s.scope, s.level = s.level.scope, s.level.outer
			}
			s.next()
		case t.text == ":" && s.accessLabel():
			s.next()
		default:
			s.i++
		}
	}
	for _, k := range s.unit.kernels { // the functions that they call may come later
		if k.body != nil {
			k.dynamic, k.body = s.sharedUses(k), nil
		}
	}
}

// inside steps over a function's body or an initializer, which end with their
// brace, whichever branch of a condition that stands in. A kernel can't stand
// inside a function: __global__ shows that braces do not balance.
func (s *scanner) inside(t token) {
	switch {
	case t.is("{"):
		s.level = &level{s.scope, s.level, s.level.kind}
	case t.is("}"):
		s.table = s.table || s.level.kind == initLevel && s.i-s.initializer > maxInitializer
		ended := s.level.kind
		if s.level = s.level.outer; s.declares() && ended == bodyLevel {
			s.next()
			return
		}
	case t.isIdent("__global__"):
		s.unit.note(t.pos, "braces do not balance before this kernel")
		for !s.declares() {
			s.level = s.level.outer
		}
		from := s.i
		for from > 0 && !s.toks[from-1].is("}") && !s.toks[from-1].is(";") && !s.toks[from-1].is("{") {
			from--
		}
		s.start, s.prefix, s.startGuard = from, nil, s.guard
	}
	s.i++
}

// declares reports whether declarations stand at the present place.
func (s *scanner) declares() bool { return s.level == nil || s.level.kind == scopeLevel }

// jump steps over round or square brackets.
func (s *scanner) jump() {
	end := max(int(s.pairs[s.i]), s.i)
	for ; s.i < end; s.i++ {
		if t := s.toks[s.i]; t.isMark() {
			s.mark(t)
		}
	}
	s.i++
}

// pairs finds the counterpart of each ( and [; 0 where there is none. Marks do
// not count: where the branches of a condition do not balance, the
// declaration is not understood.
func pairs(toks []token) []int32 {
	found := make([]int32, len(toks))
	var open []int32
	for i, t := range toks {
		if t.kind != punct {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			open = append(open, int32(i))
		case "}":
			for len(open) > 0 {
				top := open[len(open)-1]
				open = open[:len(open)-1]
				if toks[top].text == "{" {
					break
				}
			}
		case ")", "]":
			if n := len(open); n > 0 && (toks[open[n-1]].text == "(") == (t.text == ")") && toks[open[n-1]].text != "{" {
				found[open[n-1]] = int32(i)
				open = open[:n-1]
			}
		}
	}
	return found
}

// next begins a new declaration behind the present token.
func (s *scanner) next() {
	s.i++
	s.restart()
}

func (s *scanner) restart() {
	s.start, s.prefix, s.startGuard, s.table = s.i, nil, s.guard, false
}

// maxInitializer is the longest initializer that can be of a constant that
// launch bounds are made of, in tokens.
const maxInitializer = 256

func (s *scanner) pending() []token {
	own := s.toks[s.start:s.i]
	if s.prefix == nil {
		return own
	}
	return append(s.prefix[:len(s.prefix):len(s.prefix)], own...)
}

// place is how deep in scopes and braces the scanner is.
type place struct {
	scope *scope
	level *level
}

func (s *scanner) here() place { return place{s.scope, s.level} }

// mark keeps the scopes straight over an undecided condition: every branch
// begins in the same one, and the first branch says where the text goes on.
func (s *scanner) mark(t token) {
	s.guard = t.guard
	if t.kind == markEnter {
		c := scanCondition{begin: s.here(), guard: s.startGuard, at: s.i, table: s.table}
		if !s.table && s.i-s.start <= maxHead {
			c.pending = s.pending()
		}
		s.conds = append(s.conds, c)
		return
	}
	if len(s.conds) > 0 {
		c := &s.conds[len(s.conds)-1]
		if c.after == nil || *c.after == c.begin {
			here := s.here()
			c.after = &here
		}
		if t.kind == markExit {
			s.scope, s.level = c.after.scope, c.after.level
			if c.continued && s.prefix != nil {
				// An earlier branch finished what this one only continued.
				s.start, s.prefix, s.startGuard, s.table = s.i+1, nil, t.guard, false
			}
			s.conds = s.conds[:len(s.conds)-1]
			return
		}
		s.scope, s.level, s.table = c.begin.scope, c.begin.level, c.table
		if s.start > c.at && len(c.pending) > 0 && len(c.pending) <= maxHead {
			// The declaration that began before the condition ended inside
			// its first branch; this branch continues it too.
			c.continued = true
			enter := token{kind: markEnter, guard: t.guard, pos: t.pos}
			s.prefix, s.start, s.startGuard = slices.Concat(c.pending, []token{enter}), s.i+1, c.guard
		}
	}
}

// accessLabel reports whether the pending tokens are "public" and the like.
func (s *scanner) accessLabel() bool {
	own := unmarked(s.pending())
	if len(own) != 1 || own[0].kind != ident {
		return false
	}
	switch own[0].text {
	case "public", "private", "protected":
		return true
	}
	return false
}

func unmarked(toks []token) []token {
	for i, t := range toks {
		if t.isMark() {
			out := append([]token(nil), toks[:i]...)
			for _, t := range toks[i:] {
				if !t.isMark() {
					out = append(out, t)
				}
			}
			return out
		}
	}
	return toks
}

// open handles an opening brace by what stands before it.
func (s *scanner) open() {
	if s.i-s.start > maxHead {
		s.push(initLevel) // inside a table
		s.table = true
		return
	}
	// Any way to read what stands before a brace tells what kind it is.
	switch what, h := classify(firstReading(s.pending())); what {
	case braceNamespace:
		inner := s.scope
		for _, name := range h.names {
			inner = inner.namespace(name, h.inline)
		}
		s.otherNames(inner, len(h.names))
		s.enter(inner)
	case braceLinkage:
		inner := newScope(linkageScope, "", s.scope)
		inner.cABI = h.cABI
		s.enter(inner)
	case braceClass:
		s.enter(s.class(h))
	case braceEnum:
		end := s.balanced()
		s.enum(h, s.toks[s.i+1:end])
		s.i = end + 1 // the declaration may go on: enum { A } x;
		s.restart()
	case braceInit:
		s.push(initLevel)
	default:
		s.declaration(&body{s.i + 1, s.balanced()})
		s.push(bodyLevel)
	}
}

// otherNames notes what else the namespace that is opened can be called: its
// name may be a macro that means something else under a condition.
func (s *scanner) otherNames(inner *scope, names int) {
	found, _ := readings(s.startGuard, s.pending())
	for _, r := range found[min(1, len(found)):] {
		what, h := classify(r.toks)
		if what != braceNamespace || len(h.names) != names {
			continue
		}
		for at, i := inner, names-1; i >= 0; at, i = at.parent.named(), i-1 {
			if name := h.names[i]; name != at.name && !slices.Contains(at.other, name) && len(at.other) < maxNames {
				at.other = append(at.other, name)
			}
		}
	}
}

// maxNames is how many names a namespace can have.
const maxNames = 8

// push opens a brace that no declarations stand in.
func (s *scanner) push(kind levelKind) {
	s.initializer = s.i
	s.level = &level{s.scope, s.level, kind}
	s.i++
}

func (s *scanner) enter(inner *scope) {
	s.level = &level{s.scope, s.level, scopeLevel}
	s.scope = inner
	s.next()
}

// balanced returns the index of the brace that closes the one at i, by the
// first branch of every condition in between. Where the brace at i stands in
// a branch that does not close it, the other branches are in its place.
func (s *scanner) balanced() int {
	depth := 0
	var saved [][2]int // depth where a condition began, and after its first branch
	for j := s.i; j < len(s.toks); j++ {
		t := s.toks[j]
		switch {
		case t.kind == markEnter:
			saved = append(saved, [2]int{depth, -1})
		case t.kind == markBranch && len(saved) == 0:
			j = s.exit(j)
		case t.kind == markBranch:
			top := &saved[len(saved)-1]
			if top[1] < 0 || top[1] == top[0] {
				top[1] = depth
			}
			depth = top[0]
		case t.kind == markExit && len(saved) > 0:
			if top := saved[len(saved)-1]; top[1] >= 0 && top[1] != top[0] {
				depth = top[1]
			}
			saved = saved[:len(saved)-1]
		case t.is("{"):
			depth++
		case t.is("}"):
			if depth--; depth == 0 {
				return j
			}
		case t.isIdent("__global__"):
			return j
		}
	}
	return len(s.toks)
}

// exit returns the index of the mark that ends the condition which j is in.
func (s *scanner) exit(j int) int {
	for depth := 0; j < len(s.toks); j++ {
		switch s.toks[j].kind {
		case markEnter:
			depth++
		case markExit:
			if depth == 0 {
				return j
			}
			depth--
		default:
		}
	}
	return j
}

// body is the range of a function's tokens between its braces.
type body struct{ from, to int }
