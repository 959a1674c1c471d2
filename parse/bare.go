package parse

import "github.com/occlint/occlint/parse/internal/msg"

// bareLines are lines that only their words make the compiler's: `Used 33
// registers, …` in a comment or in somebody's notes. Where the log has lines of
// the compiler itself they are quotations; where it has none they are all that
// is known, of a kernel without a name.
type bareLines struct {
	list   []bareLine // until the first line of the compiler itself
	headed bool       // it came
}

type bareLine struct {
	kind   msg.Kind
	values msg.Values
	banks  Banks
	line   int
}

// mostBare bounds what notes can cost.
const mostBare = 1 << 12

// takeBare takes a bare line; it returns false for one that is to be read as
// any other.
func (a *assembler) takeBare(m *msg.Message, line int) bool {
	if a.bare.headed {
		return m.Kind == msg.Used
	}
	if len(a.bare.list) < mostBare {
		a.bare.list = append(a.bare.list, bareLine{m.Kind, m.Values, a.banks.intern(&m.Quantities), line})
	}
	return true
}

// headed notes a message of the compiler itself. Bare Used lines above are
// quotations then, and bare stack lines may have lost their indent.
func (a *assembler) headed() {
	lines := a.bare.list
	a.bare = bareLines{headed: true}
	for _, b := range lines {
		if b.kind == msg.StackFrame {
			a.stack(&a.ptxas, &msg.Message{Kind: b.kind, Cut: true, Quantities: msg.Quantities{Values: b.values}}, b.line)
		}
	}
}

// stateBare makes records of the bare lines: a stack line and the Used line
// right below it are of one kernel.
func (a *assembler) stateBare() {
	lines := a.bare.list
	a.bare.list = nil
	var open *draft // has its stack line
	for n, b := range lines {
		if open == nil || b.kind != msg.Used || b.line > lines[n-1].line+2 {
			i := a.open(&a.ptxas, &msg.Message{}, KindUnknown, b.line)
			open = a.records.at(i)
			open.Defect |= Unnamed
		}
		if b.kind == msg.StackFrame {
			open.stateStack(&b.values)
			continue
		}
		open.stateUsed(&b.values, b.banks)
		open = nil
	}
}
