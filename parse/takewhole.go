package parse

import "bytes"

// wholeRecords takes the records at the start of what is left of b.
func (r *reader) wholeRecords(b []byte) {
	for !r.lex.Mending() {
		w := r.scouted()
		if w == nil {
			if w = &r.whole; !r.finder.record(b[r.pos:], w) {
				return
			}
			w.hash = r.asm.records.names.hash(w.name)
		}
		r.lex.Release()
		if !r.asm.quiet() { // a record is open
			return
		}
		if w.wording.class.Kind == Entry {
			r.asm.whole(w, r.line+1)
		} else if !r.asm.wholeFunction(w, r.finder.wordings, r.line+1) {
			return
		}
		if w != &r.whole {
			r.ahead.taken++
		}
		r.lex.Skip(w.width)
		r.passRecord(b[r.pos : r.pos+w.length])
		r.line += w.lines
		r.pos += w.length
	}
}

// passRecord hands on the lines of a whole record.
func (r *reader) passRecord(lines []byte) {
	if r.onLine == nil || r.textOnly {
		return
	}
	for len(lines) > 0 {
		n := bytes.IndexByte(lines, '\n') + 1
		r.onLine(Line{Raw: lines[:n], Class: LineResource})
		lines = lines[n:]
	}
}

// scouted returns the record that a scout found at r.pos, nil when there is
// none or the margins are others now.
func (r *reader) scouted() *wholeRecord {
	a := &r.ahead
	if a.block == nil {
		return nil
	}
	found := a.block.found
	for a.next < len(found) && found[a.next].at+a.shift < r.pos {
		a.next++
	}
	if a.next == len(found) || found[a.next].at+a.shift != r.pos || !r.agrees() {
		return nil
	}
	f := &found[a.next]
	if f.place = 0; a.names != 0 {
		f.place = a.names.at(f.name, len(f.wholeRecord.name))
	}
	return &f.wholeRecord
}

// agrees reports whether the block was looked through within the margins that
// hold now.
func (r *reader) agrees() bool {
	a, now := &r.ahead, &r.lex.Margins
	if a.checked != a.block.margins || a.version != now.Version {
		a.checked, a.version = a.block.margins, now.Version
		a.same = a.checked.Equal(now)
	}
	return a.same
}
