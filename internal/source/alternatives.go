package source

import "slices"

// reading is one way to read a run of tokens: what stays when its conditions
// hold.
type reading struct {
	guards []*guard
	toks   []token
}

// maxReadings bounds in how many ways one declaration is read.
const maxReadings = 32

// readings resolves the marks in toks, of which the first stands under g. It
// reports false when there are more ways to read them than anybody would
// write; the ways that it returns are then some of them.
func readings(g *guard, toks []token) (found []reading, all bool) {
	var outer []*guard
	if g != nil {
		outer = []*guard{g}
	}
	marked := false
	for _, t := range toks {
		if t.isMark() {
			marked = true
			break
		}
	}
	if !marked {
		return []reading{{outer, toks}}, true
	}
	type level struct {
		base, merged []reading
		grown        bool // a branch has tokens
	}
	var stack []level
	var done []reading // finished before the run's own branch began
	present := []reading{{guards: outer}}
	all = true
	for _, t := range toks {
		switch t.kind {
		case markEnter:
			stack = append(stack, level{base: present})
			present = refine(present, t.guard)
		case markBranch:
			if len(stack) == 0 {
				// The run began inside of an earlier branch.
				done = append(done, begun(present)...)
				present = []reading{{guards: guardList(t.guard)}}
				continue
			}
			top := &stack[len(stack)-1]
			top.merged = append(top.merged, present...)
			present = refine(top.base, t.guard)
		case markExit:
			if len(stack) == 0 {
				if present = slices.Concat(done, begun(present)); len(present) == 0 {
					present = []reading{{guards: guardList(t.guard)}}
				}
				done = nil
			} else {
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if present = append(top.merged, present...); !top.grown {
					present = top.base // the condition is about other text
				} else if len(stack) > 0 {
					stack[len(stack)-1].grown = true
				}
			}
			if len(present) > maxReadings {
				present, all = present[:maxReadings], false
			}
		default:
			if len(stack) > 0 {
				stack[len(stack)-1].grown = true
			}
			for i := range present {
				present[i].toks = append(present[i].toks, t)
			}
		}
	}
	return present, all
}

// begun drops the readings that have no token yet: what held where the run
// began says nothing about what comes after the end of that branch.
func begun(all []reading) []reading {
	var out []reading
	for _, r := range all {
		if len(r.toks) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// refine copies the readings that g does not contradict, each with g added.
func refine(base []reading, g *guard) []reading {
	var out []reading
	for _, r := range base {
		if contradicts(r.guards, g) {
			continue
		}
		out = append(out, reading{
			guards: append(r.guards[:len(r.guards):len(r.guards)], g),
			toks:   append([]token(nil), r.toks...),
		})
	}
	return out
}

func guardList(g *guard) []*guard {
	if g == nil {
		return nil
	}
	return []*guard{g}
}

func contradicts(guards []*guard, g *guard) bool {
	for _, h := range guards {
		if h.implies(g) == no || g.implies(h) == no {
			return true
		}
	}
	return false
}
