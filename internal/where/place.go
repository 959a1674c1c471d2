package where

import "github.com/occlint/occlint/internal/code"

// place is the source line of an instruction.
func (r *reader) place(offset uint32) (Place, bool) {
	at, calls, ok := r.unit.Lines.At(r.unit.Section, uint64(offset))
	if !ok {
		return Place{}, false
	}
	p := Place{File: at.File, Line: at.Line}
	for _, c := range calls {
		p.Inlined = append(p.Inlined, Place{File: c.From.File, Line: c.From.Line})
	}
	return p, true
}

// loopPlaces finds the lines of a function's loops. The branch back belongs to
// the loop's head in the source or to its condition, the first instruction
// often to the body: the earlier line of the two is where the loop stands.
func (r *reader) loopPlaces(p *part) {
	for i, l := range p.loops {
		at, known := r.place(l.Header)
		for _, back := range l.Back {
			b, ok := r.place(back)
			switch {
			case !ok:
			case !known, len(b.Inlined) < len(at.Inlined), same(b, at) && b.Line < at.Line:
				at, known = b, true
			}
		}
		if !known {
			continue
		}
		p.kernel.HasLines = true
		p.kernel.Loops[i].Place = at
		p.kernel.Loops[i].LastLine = r.lastLine(l, at)
	}
	for i := range p.kernel.Sites {
		p.kernel.HasLines = p.kernel.HasLines || p.kernel.Sites[i].Place.Line > 0
	}
}

// same reports whether two places are in one function, as far as their files
// and the calls around them tell.
func same(a, b Place) bool {
	if a.File != b.File || len(a.Inlined) != len(b.Inlined) {
		return false
	}
	for i := range a.Inlined {
		if a.Inlined[i].File != b.Inlined[i].File || a.Inlined[i].Line != b.Inlined[i].Line {
			return false
		}
	}
	return true
}

// mostSlots bounds how much code is looked through for a loop's last line.
const mostSlots = 1 << 16

// lastLine is the last line of the loop's own function that its code is from.
func (r *reader) lastLine(l *code.Loop, at Place) int {
	last := at.Line
	if (l.End-l.Start)/r.code.Width > mostSlots {
		return 0
	}
	for o := l.Start; o <= l.End; o += r.code.Width {
		p, ok := r.place(o)
		if !ok {
			continue
		}
		// Seen from the loop's function, inlined code is on the line of its call.
		if extra := len(p.Inlined) - len(at.Inlined); extra > 0 {
			call := p.Inlined[extra-1]
			p = Place{File: call.File, Line: call.Line, Inlined: p.Inlined[extra:]}
		}
		if same(p, at) {
			last = max(last, p.Line)
		}
	}
	return last
}
