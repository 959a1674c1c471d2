package source

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
	type level struct{ base, merged []reading }
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
				done = append(done, present...)
				present = []reading{{guards: []*guard{t.guard}}}
				continue
			}
			top := &stack[len(stack)-1]
			top.merged = append(top.merged, present...)
			present = refine(top.base, t.guard)
		case markExit:
			if len(stack) == 0 {
				present = append(done, present...)
				done = nil
			} else {
				present = append(stack[len(stack)-1].merged, present...)
				stack = stack[:len(stack)-1]
			}
			if len(present) > maxReadings {
				present, all = present[:maxReadings], false
			}
		default:
			for i := range present {
				present[i].toks = append(present[i].toks, t)
			}
		}
	}
	return present, all
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

func contradicts(guards []*guard, g *guard) bool {
	for _, h := range guards {
		if h.implies(g) == no || g.implies(h) == no {
			return true
		}
	}
	return false
}
