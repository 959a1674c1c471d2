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

// maxMarks is how many marks a declaration can have to be read: the heads of
// kernels have few. Where there are more, declarations lie between conditions
// without a semicolon, as after macros that nobody defines.
const maxMarks = 96

// compact drops the conditions in toks that hold no text.
func compact(toks []token) (out []token, marks int) {
	if !slices.ContainsFunc(toks, token.isMark) {
		return toks, 0
	}
	out = make([]token, 0, len(toks))
	var open [][2]int // of each condition: tokens and marks before it
	for _, t := range toks {
		switch t.kind {
		case markEnter:
			open = append(open, [2]int{len(out), marks})
		case markExit:
			n := len(open) - 1
			if n < 0 {
				break
			}
			before := open[n]
			open = open[:n]
			if len(out)-before[0] == marks-before[1] { // nothing but marks
				out, marks = out[:before[0]], before[1]
				continue
			}
		default:
		}
		if t.isMark() {
			marks++
		}
		out = append(out, t)
	}
	return out, marks
}

// firstReading is toks by the first branch of each condition that holds text;
// where they begin inside of a branch, it is the last branch of that condition.
func firstReading(toks []token) []token {
	toks, marks := compact(toks)
	if marks == 0 {
		return toks
	}
	var out []token
	var open []int // tokens before each condition; -1: one of its branches was read
	off := 0       // conditions around, of which one branch was read
	for _, t := range toks {
		n := len(open) - 1
		switch t.kind {
		case markEnter:
			open = append(open, len(out))
		case markBranch:
			if n < 0 {
				out = nil
			} else if open[n] >= 0 && len(out) > open[n] {
				open[n] = -1
				off++
			}
		case markExit:
			if n < 0 {
				break
			}
			if open[n] < 0 {
				off--
			}
			open = open[:n]
		default:
			if off == 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

// readings resolves the marks in toks, of which the first stands under g. It
// reports false when there are more ways to read them than anybody would
// write; the ways that it returns are then some of them.
func readings(g *guard, toks []token) (found []reading, all bool) {
	outer := guardList(g)
	toks, marks := compact(toks)
	switch {
	case marks == 0:
		return []reading{{outer, toks}}, true
	case marks > maxMarks:
		return []reading{{outer, firstReading(toks)}}, false
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
