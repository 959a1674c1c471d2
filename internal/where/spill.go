package where

import (
	"fmt"
	"slices"

	"github.com/occlint/occlint/internal/code"
)

// verdict says which local accesses of a function are spills.
type verdict struct {
	certainty Certainty
	spill     func(code.Inst) bool
	notes     []string
}

// judge decides how the spills of a part are told: by the compiler's list, or
// by what the code shows.
func (r *reader) judge(p *part, callee bool) verdict {
	sites := 0
	for _, i := range p.insts {
		if i.Kind.Memory() {
			sites++
		}
	}
	switch {
	case callee && r.unit.Listed && !r.unit.Debug && sites > 0 && !r.lists(p):
		// A list leaves out the registers that a function saves for its
		// caller, which the compiler's log counts.
		v := r.inferred(p, callee)
		v.certainty = About
		v.notes = []string{"the compiler lists no spill of this function, but it may save registers of its caller: the bytes are only about right"}
		return v
	case len(r.unit.Spills) > 0 || r.unit.Listed && !r.unit.Debug:
		return r.listed(p)
	case sites == 0:
		return verdict{certainty: Exact, spill: func(code.Inst) bool { return false }}
	case r.unit.Debug:
		return verdict{notes: []string{"compiled with -G: what is a spill can't be told, only where local memory is used"}}
	case r.code.PositionsOnly:
		return verdict{notes: []string{"what is a spill on " + r.unit.Arch + " can't be told, only where local memory is used"}}
	}
	return r.inferred(p, callee)
}

// listed takes the compiler's word.
func (r *reader) listed(p *part) verdict {
	v := verdict{certainty: Exact, spill: func(i code.Inst) bool { return r.spills[i.Offset] }}
	access := map[uint32]bool{}
	for _, i := range p.insts {
		if i.Kind.Memory() {
			access[i.Offset] = true
		}
	}
	stray := 0
	for _, o := range r.unit.Spills {
		if o >= p.Start && o < p.End && !access[o] && r.owns(p, o) {
			stray++
		}
	}
	if stray > 0 {
		v.certainty = About
		v.notes = append(v.notes, fmt.Sprintf("the compiler lists %d spills that are no access to local memory: they are not counted", stray))
	}
	return v
}

// lists reports whether the compiler lists a spill in a part.
func (r *reader) lists(p *part) bool {
	return slices.ContainsFunc(r.unit.Spills, func(o uint32) bool { return o >= p.Start && o < p.End })
}

// owns reports whether the offset, which lies in p's range, is p's own.
func (r *reader) owns(p *part, offset uint32) bool {
	if p != r.parts[0] {
		return true
	}
	for _, q := range r.parts[1:] {
		if offset >= q.Start && offset < q.End {
			return false
		}
	}
	return true
}

// slot is the four bytes of the frame at an offset from the stack pointer.
type slot int32

// slots calls f for each slot that an access touches.
func slots(i code.Inst, f func(slot)) {
	for at := i.Disp &^ 3; at < i.Disp+int32(i.Bytes); at += 4 {
		f(slot(at))
	}
}

// evidence is what a function's code shows about its use of the stack.
type evidence struct {
	array   bool // an access through another register than the stack pointer
	taken   bool // the stack pointer is read into another register
	lastUse bool // some load is marked as the last of its slot
	loads   bool
	stored  map[slot]bool
	dropped map[slot]bool // loaded with a mark of the last use
	loaded  map[slot]bool
}

func examine(insts []code.Inst) evidence {
	e := evidence{stored: map[slot]bool{}, dropped: map[slot]bool{}, loaded: map[slot]bool{}}
	for _, i := range insts {
		switch {
		case i.Kind == code.StackRead:
			e.taken = true
		case !i.Kind.Memory():
		case !onStack(i):
			e.array = true
		case i.Kind == code.Store:
			slots(i, func(s slot) { e.stored[s] = true })
		default:
			e.loads = true
			e.lastUse = e.lastUse || i.LastUse
			slots(i, func(s slot) {
				e.loaded[s] = true
				if i.LastUse {
					e.dropped[s] = true
				}
			})
		}
	}
	return e
}

// onStack reports whether an access is at a fixed place of the frame, where
// spills are.
func onStack(i code.Inst) bool { return i.Base == code.StackPointer && !i.Uniform }

// inferred tells spills by what ptxas does with them: they are always at a
// fixed place of the frame, and an optimised build marks the last load of each
// value. An array that is only ever indexed by constants looks the same, so
// where anything shows an array the answer is "about".
func (r *reader) inferred(p *part, callee bool) verdict {
	e := examine(p.insts)
	arrays := e.array || e.taken
	v := verdict{certainty: Exact, spill: onStack}
	switch {
	case callee && arrays:
		v.spill = func(i code.Inst) bool { return onStack(i) && every(i, e.stored, e.loaded) }
	case callee:
	case arrays:
		v.spill = func(i code.Inst) bool { return onStack(i) && every(i, e.stored, e.dropped) }
	case e.loads && !e.lastUse && r.anyTaken():
		v.spill = func(code.Inst) bool { return false }
		arrays = true
	}
	switch {
	case e.loads && !e.lastUse && !callee:
		v.certainty = About
		v.notes = append(v.notes, "no load is marked as the last of its value, as in code that was not optimised: spills and arrays can't be told apart for certain")
	case arrays:
		v.certainty = About
		v.notes = append(v.notes, "the code uses a local array too: how much of the local traffic is spills is only about right")
	case !r.unit.Proven:
		v.certainty = About
		v.notes = append(v.notes, "how this compiler spills was not compared with its log: the bytes are only about right")
	}
	return v
}

// every reports whether each slot of an access is in both sets.
func every(i code.Inst, a, b map[slot]bool) bool {
	all := true
	slots(i, func(s slot) { all = all && a[s] && b[s] })
	return all
}

// anyTaken reports whether any function of the section takes an address of
// something on the stack.
func (r *reader) anyTaken() bool {
	for _, p := range r.parts {
		for _, i := range p.insts {
			if i.Kind == code.StackRead {
				return true
			}
		}
	}
	return false
}
