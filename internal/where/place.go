package where

import "github.com/occlint/occlint/internal/code"

// place is the source line of an instruction.
func (r *reader) place(offset uint32) (Place, bool) {
	at, calls, ok := r.unit.Lines.At(r.unit.Section, uint64(offset))
	if !ok {
		return Place{}, false
	}
	name := r.unit.Path
	if name == nil {
		name = func(file string) string { return file }
	}
	p := Place{File: name(at.File), Line: at.Line}
	for _, c := range calls {
		p.Inlined = append(p.Inlined, Place{File: name(c.From.File), Line: c.From.Line})
	}
	return p, true
}

// loopPlaces finds the lines of a function's loops.
func (r *reader) loopPlaces(p *part) {
	k := p.kernel
	for i, l := range p.loops {
		at, known := r.loopPlace(l)
		if known {
			k.HasLines = true
			k.Loops[i].Place = at
			if len(k.Sites) > 0 { // what has nothing to show need not be searched
				k.Loops[i].LastLine = r.lastLine(l, at)
			}
		}
	}
	for i := range k.Sites {
		k.HasLines = k.HasLines || k.Sites[i].Place.Line > 0
	}
}

// loopPlace is the line of a loop's branch back, which in most loops is that of
// its head in the source: the earliest of them where there are several, and
// the least inlined.
func (r *reader) loopPlace(l *code.Loop) (at Place, known bool) {
	for _, back := range l.Back {
		b, ok := r.place(back)
		if ok && (!known || len(b.Inlined) < len(at.Inlined) || same(b, at) && b.Line < at.Line) {
			at, known = b, true
		}
	}
	if !known {
		return r.place(l.Header)
	}
	return at, true
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
