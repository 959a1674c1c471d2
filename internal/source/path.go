package source

import "strings"

// step is one part of a qualified name: its name, and its template arguments.
type step struct {
	tok  token
	args []token // nil: none
}

// path reads a qualified name at e's position.
func (s *site) path(e *evaluator) (steps []step, global bool) {
	if e.peek().is("::") {
		global = true
		e.i++
	}
	for e.i < len(e.toks) {
		t := e.toks[e.i]
		if t.isIdent("typename") || t.isIdent("template") {
			e.i++
			continue
		}
		if t.kind != ident && t.kind != raised {
			break
		}
		e.i++
		one := step{tok: t}
		if e.peek().is("<") && s.takesArguments(e, t, len(steps) > 0) {
			end := angle(e.toks, e.i)
			one.args = e.toks[e.i+1 : end : end]
			if one.args == nil {
				one.args = []token{}
			}
			e.i = end + 1
		}
		steps = append(steps, one)
		if !e.peek().is("::") || e.i+1 >= len(e.toks) {
			break
		}
		e.i++
	}
	return steps, global
}

// takesArguments tells a template argument list from a comparison.
func (s *site) takesArguments(e *evaluator, t token, qualified bool) bool {
	end := angle(e.toks, e.i)
	if end < 0 {
		return false
	}
	if !qualified {
		if v := s.variable(t.text); v != nil && v.typ == nil {
			return false
		}
		if all, _ := s.lookup(t.text); len(all) > 0 {
			for _, f := range all {
				if f.m.params != nil || f.m.kind == functionMember || f.m.kind == aliasMember {
					return true
				}
			}
			return false
		}
	}
	for _, inner := range e.toks[e.i+1 : end] {
		if inner.is("?") {
			return false
		}
	}
	if end+1 >= len(e.toks) {
		return true
	}
	switch next := e.toks[end+1]; {
	case next.kind != punct:
		return false
	case next.text == "-" || next.text == "!" || next.text == "~":
		return false
	}
	return true
}

func spellSteps(steps []step) string {
	parts := make([]string, len(steps))
	for i, st := range steps {
		parts[i] = st.tok.text
		if st.args != nil {
			parts[i] += "<" + spell(st.args) + ">"
		}
	}
	return shortText(strings.Join(parts, "::"))
}
