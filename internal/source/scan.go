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
}

// scanCondition is an undecided #if around the place that is being scanned.
type scanCondition struct {
	begin   place  // where it begins
	after   *place // where its first branch ended
	pending []token
	guard   *guard // at the beginning of the pending tokens
	at      int    // index of its first mark
}

func (s *scanner) run() {
	s.pairs = pairs(s.toks)
	for s.i < len(s.toks) {
		t := s.toks[s.i]
		switch {
		case t.isMark():
			s.mark(t)
			s.i++
		case t.kind != punct:
			s.i++
		case t.text == "(" || t.text == "[":
			if end := s.pairs[s.i]; end > 0 {
				s.i = int(end)
			}
			s.i++
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

func (s *scanner) restart() { s.start, s.prefix, s.startGuard = s.i, nil, s.guard }

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
		s.conds = append(s.conds, scanCondition{begin: s.here(), pending: s.pending(), guard: s.startGuard, at: s.i})
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
			s.conds = s.conds[:len(s.conds)-1]
			return
		}
		s.scope, s.level = c.begin.scope, c.begin.level
		if s.start > c.at && len(c.pending) > 0 {
			// The declaration that began before the condition ended inside
			// its first branch; this branch continues it too.
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
		s.i = s.balanced() + 1 // inside a table
		return
	}
	all, _ := readings(s.startGuard, s.pending())
	var head []token
	for _, r := range all { // any reading tells what kind of brace it is
		if len(r.toks) > 0 {
			head = r.toks
			break
		}
	}
	switch what, h := classify(head); what {
	case braceNamespace:
		inner := s.scope
		for _, name := range h.names {
			inner = inner.namespace(name, h.inline)
		}
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
		s.i = s.balanced() + 1
	default:
		end := s.balanced()
		s.declaration(&body{s.i + 1, end})
		s.i = end
		if s.i < len(s.toks) && !s.toks[s.i].is("}") {
			s.i-- // the body was cut short at the next kernel
		}
		s.next()
	}
}

func (s *scanner) enter(inner *scope) {
	s.level = &level{s.scope, s.level}
	s.scope = inner
	s.next()
}

// balanced returns the index of the brace that closes the one at i. A kernel
// can't stand inside a function, so that __global__ at a place where braces
// do not balance ends the search.
func (s *scanner) balanced() int {
	depth := 0
	var saved [][2]int // depth where a condition began, and after its first branch
	for j := s.i; j < len(s.toks); j++ {
		t := s.toks[j]
		switch {
		case t.kind == markEnter:
			saved = append(saved, [2]int{depth, -1})
		case t.kind == markBranch && len(saved) > 0:
			top := &saved[len(saved)-1]
			if top[1] < 0 || top[1] == top[0] {
				top[1] = depth
			}
			depth = top[0]
		case t.kind == markExit && len(saved) > 0:
			if top := saved[len(saved)-1]; top[1] >= 0 {
				depth = top[1]
			}
			saved = saved[:len(saved)-1]
		case t.is("{"):
			depth++
		case t.is("}"):
			if depth--; depth == 0 {
				return j
			}
		case t.isIdent("__global__") && j > s.i:
			s.unit.note(t.pos, "braces do not balance before this kernel")
			for j > s.i+1 && !s.toks[j-1].is("}") && !s.toks[j-1].is(";") {
				j--
			}
			return j
		}
	}
	return len(s.toks)
}

// body is the range of a function's tokens between its braces.
type body struct{ from, to int }
