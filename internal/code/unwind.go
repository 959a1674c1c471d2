package code

import "slices"

// frame is one entry of the stack that SSY, PBK, PCNT and PRET push, and that
// SYNC, BRK, CONT and RET pop. Frame 0 is the empty stack.
type frame struct {
	below  int
	kind   Kind
	target uint32
	height int
}

const (
	maxHeight = 64 // entries of a stack: compilers nest a handful
	maxStacks = 8  // different stacks that one block is walked with
)

// unwinder walks the blocks of an architecture before sm_70 with the stack that
// each is reached with.
type unwinder struct {
	*graph
	frames []frame
	index  map[frame]int
	seen   map[visit]bool
	visits []uint8
	todo   []visit
	edges  []edge
}

type visit struct {
	block int32
	stack int
}

// popped says which push an instruction takes back.
func popped(k Kind) (Kind, bool) {
	switch k {
	case Sync:
		return PushSync, true
	case Break:
		return PushBreak, true
	case Continue:
		return PushContinue, true
	case Return:
		return PushReturn, true
	default:
	}
	return Other, false
}

// unwind returns the edges of the instructions that pop the stack.
func (g *graph) unwind() []edge {
	if g.Width != 8 {
		return nil
	}
	u := &unwinder{graph: g, frames: make([]frame, 1), index: map[frame]int{}, seen: map[visit]bool{}, visits: make([]uint8, len(g.blocks))}
	for _, e := range g.entries {
		u.visit(g.starting(e), 0)
	}
	for len(u.todo) > 0 {
		v := u.todo[len(u.todo)-1]
		u.todo = u.todo[:len(u.todo)-1]
		u.walk(v)
	}
	return u.edges
}

func (u *unwinder) visit(b int32, stack int) {
	v := visit{b, stack}
	if b < 0 || u.visits[b] >= maxStacks || u.seen[v] {
		return
	}
	u.seen[v] = true
	u.visits[b]++
	u.todo = append(u.todo, v)
}

// walk goes through one block and on to those after it.
func (u *unwinder) walk(v visit) {
	b, stack := u.blocks[v.block], v.stack
	for _, i := range u.Insts[b.first:b.last] {
		switch i.Kind {
		case PushSync, PushBreak, PushContinue, PushReturn:
			stack = u.push(stack, i)
		default:
		}
	}
	u.leaveQuietly(int(v.block), func(to uint32) { u.visit(u.starting(to), stack) })
	if b.last == b.first {
		return
	}
	last := u.Insts[b.last-1]
	if last.Kind == IndirectBranch {
		if _, found := u.table(last.Offset); found {
			return
		}
		u.call(v.block, last, stack)
		return
	}
	kind, pops := popped(last.Kind)
	if !pops {
		return
	}
	for s := stack; s != 0; s = u.frames[s].below {
		if u.frames[s].kind == kind {
			u.pop(v.block, s)
			return
		}
	}
}

// pop goes on at the target of a frame, with what is below it.
func (u *unwinder) pop(from int32, stack int) {
	if to := u.starting(u.frames[stack].target); to >= 0 {
		u.edges = append(u.edges, edge{from, to})
		u.visit(to, u.frames[stack].below)
	}
}

// call takes a branch through a register that stands under a PRET for what it
// is: the call of a function by its address, which returns to the PRET's target.
func (u *unwinder) call(from int32, i Inst, stack int) {
	if u.frames[stack].kind == PushReturn {
		u.pop(from, stack)
		return
	}
	if !slices.Contains(u.Unresolved, i.Offset) {
		u.Unresolved = append(u.Unresolved, i.Offset)
	}
}

// leaveQuietly is leave for a second time: what is unresolved was noted before.
func (u *unwinder) leaveQuietly(n int, add func(uint32)) {
	known := len(u.Unresolved)
	u.leave(n, add)
	u.Unresolved = u.Unresolved[:known]
}

func (u *unwinder) push(stack int, i Inst) int {
	f := frame{below: stack, kind: i.Kind, target: i.Target, height: u.frames[stack].height + 1}
	if f.height > maxHeight || i.Target == NoTarget {
		return stack
	}
	if known, ok := u.index[f]; ok {
		return known
	}
	u.frames = append(u.frames, f)
	u.index[f] = len(u.frames) - 1
	return len(u.frames) - 1
}
