package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// From glibc 2.37 on ptxas writes a message of more than pieceBytes in pieces
// of as many, and another process's writes can come in between:
//
//	ptxas info    : Compiling entry function '_Z9transposptxas info    : 0 bytes gmem
//	eILi32EEvPfPKf' for 'sm_80'
//
// What stands before such a place is a head, what ends it is a rest. A rest
// carries no sign of whose it is, so it is joined only where it makes exactly
// one head a whole message. Of a Compiling line that is not certain, the
// Properties line says the name once more: it settles which head and which rest
// belong together. What stays open is delivered cut.
type mender struct {
	seen  bool       // some message of the log is torn
	heads []tornHead // in the order of the log
	rests [][]byte   // of Compiling lines, each of one of several heads
	names [][]byte   // of entries since the first tear whose properties did not come yet
	m     Message    // scratch
}

// tornHead is the beginning of a message, some pieces long.
type tornHead struct {
	text   []byte // with the line break of a Properties message
	line   int    // that it stands on
	shared bool   // its rest can have been taken for another's
	pieced bool   // a piece of it can be in another message
}

const (
	pieceBytes = 128
	mostTorn   = 64 // bounds what a hostile log costs; a build has as many as jobs
)

// Mending reports whether a rest may come, so that no line is what it seems.
func (x *Lexer) Mending() bool { return len(x.torn.heads) > 0 }

// mend takes a line in which a message is torn, or which may hold a rest.
func (x *Lexer) mend(b []byte) bool {
	t := &x.torn
	opens := opensAt(b, 0)
	if len(t.heads) == 0 && !t.seen && nextOpening(b, 1) < 0 {
		return false
	}
	before := x.openProperties()
	switch {
	case opens && before != nil && len(before)%pieceBytes == 0: // torn at its line break
		x.holding = false
		x.tear(before)
		x.fromOpening(b)
		return true
	case opens:
		return x.pieces(b, nil)
	case before != nil && x.atBreak(before):
		return true
	case before != nil:
		return x.pieces(b, before)
	case len(t.heads) > 0:
		return x.restOf(b)
	}
	return false
}

// fromOpening takes what begins with a message, torn or not.
func (x *Lexer) fromOpening(b []byte) {
	if !x.pieces(b, nil) {
		x.feed(b)
	}
}

// openProperties returns the text of the Properties message that the line
// before ended in the middle of, nil for none.
func (x *Lexer) openProperties() []byte {
	h := x.held
	if !x.holding || h.Kind != Properties || h.Cut || h.Stage != Ptxas || h.Severity != Info || x.heldLine != x.number-1 || len(h.Before) > 0 {
		return nil
	}
	return append(append([]byte(PtxasInfo), x.heldText...), '\n')
}

// pieces looks at the ends of the pieces of a message, of which before stands
// on the line above. It returns false when the line is as it seems.
func (x *Lexer) pieces(b, before []byte) bool {
	if !x.swapped(b) {
		x.confirm(b)
	}
	first := pieceBytes - len(before)%pieceBytes
	for p := first; p < len(b); p += pieceBytes {
		if opensAt(b, p) && nextOpening(b[:p], 1) < 0 {
			if before != nil {
				x.holding = false
			}
			x.tear(before, b[:p])
			x.fromOpening(b[p:])
			return true
		}
	}
	if nextOpening(b, 1) >= 0 || len(x.torn.heads) <= len(x.torn.rests) {
		return false // torn otherwise, or no rest is to come
	}
	if first+pieceBytes <= len(b) && x.holdsPiece(b, before) {
		return true
	}
	at, takers := 0, []int(nil)
	for p := first; p < len(b); p += pieceBytes {
		switch more := x.takers(b[p:]); {
		case len(more) == 0:
		case takers == nil:
			at, takers = p, more
		default: // it is not known where the rest begins
			x.flush()
			x.tellTorn(x.number, true)
			x.cutStack()
			return true
		}
	}
	return takers != nil && x.disputed(b, at, before, takers)
}

// swapped reports a Properties line that confirms no name: its end can as well be
// that of another one, which would give a different name.
func (x *Lexer) swapped(b []byte) bool {
	if len(x.torn.heads) == 0 || !scan.HasAt(b, 0, PtxasInfo+PropertiesText) || x.awaited(b[len(PtxasInfo)+len(PropertiesText):]) {
		return false
	}
	for p := pieceBytes; p < len(b); p += pieceBytes {
		for i := range x.torn.heads {
			h := x.torn.heads[i].text
			if scan.HasAt(h, 0, PtxasInfo+PropertiesText) && bytes.IndexByte(h, '\n') < 0 && !bytes.Equal(h, b[:p]) && x.torn.whole(join(h, b[p:])) {
				return true
			}
		}
	}
	return false
}

// atBreak takes a stack line whose properties line ends with a piece, while some
// properties line before it is torn, perhaps at its end as well: then the stack
// line, with the line break above it, is of either.
func (x *Lexer) atBreak(before []byte) bool {
	if (len(before)-1)%pieceBytes != 0 {
		return false
	}
	found := false
	for i := range x.torn.heads {
		if h := &x.torn.heads[i]; scan.HasAt(h.text, 0, PtxasInfo+PropertiesText) && bytes.IndexByte(h.text, '\n') < 0 {
			h.shared, found = true, true
		}
	}
	if found {
		x.cutStack()
	}
	return found
}

// holdsPiece takes a message so long that a piece of it can be from the middle
// of another's, whose head has no rest yet. An entry's name is confirmed by its
// properties, but the names of those have nothing to confirm them, and the other
// message can lack the piece.
func (x *Lexer) holdsPiece(b, before []byte) bool {
	for i := range x.torn.heads {
		x.torn.heads[i].pieced = true
	}
	switch {
	case before != nil: // in front of the stack line
		x.cutStack()
		return true
	case scan.HasAt(b, 0, PtxasInfo+PropertiesText):
		x.feedCut(b)
		x.cutStack()
		return true
	}
	return false
}

// disputed takes a line whose text from p on can be the rest of another
// message as well as its own.
func (x *Lexer) disputed(b []byte, p int, before []byte, takers []int) bool {
	t := &x.torn
	whole := join(before, b)
	if !t.whole(whole) {
		if before != nil {
			x.holding = false
		}
		x.tear(before, b[:p])
		x.giveRest(b[p:], takers)
		return true
	}
	switch {
	case t.m.Kind == Entry:
		x.tear(b[:p])
		t.rests = append(t.rests, bytes.Clone(b[p:]))
		return true
	case t.m.Kind == Properties && before == nil:
		switch own, other := x.awaited(t.m.Name), x.awaitedOf(takers, b[p:]); {
		case own && !other:
			return false // the line is its entry's
		case other && !own && len(takers) == 1 && x.awaitedBegin(b[:p]):
			x.tear(b[:p])
			x.giveRest(b[p:], takers)
			return true
		}
		x.flush()
		x.feedCut(b[:p])
		x.cutStack()
		return true
	case t.m.Kind == Properties:
		for _, i := range takers {
			t.heads[i].shared = true
		}
		x.cutStack()
		return true
	}
	return false
}

// restOf takes a line that begins with no message and follows none.
func (x *Lexer) restOf(b []byte) bool {
	t := &x.torn
	if p := nextOpening(b, 0); p >= 0 {
		if p%pieceBytes != 0 || len(t.heads) != 1 || len(t.rests) > 0 {
			if p >= pieceBytes {
				x.flush() // some head lacks this piece
			}
			return false
		}
		t.heads[0].text = append(t.heads[0].text, b[:p]...) // a piece in the middle
		x.fromOpening(b[p:])
		return true
	}
	takers := x.takers(b)
	if len(takers) > 0 {
		x.giveRest(b, takers)
	}
	return len(takers) > 0
}

// giveRest gives a rest to the only head that can take it. Of several heads of
// Compiling lines a Properties line will tell, others stay cut.
func (x *Lexer) giveRest(b []byte, takers []int) {
	t := &x.torn
	if len(takers) == 1 {
		h := t.heads[takers[0]]
		t.heads = append(t.heads[:takers[0]], t.heads[takers[0]+1:]...)
		x.complete(h, b)
		return
	}
	for _, i := range takers {
		if !scan.HasAt(t.heads[i].text, len(PtxasInfo), EntryText) {
			x.flush()
			return
		}
	}
	t.rests = append(t.rests, bytes.Clone(b))
}

// complete delivers a message that was torn.
func (x *Lexer) complete(h tornHead, rest []byte) {
	text := join(h.text, rest)
	x.confirm(text)
	line, stack, two := bytes.Cut(text, []byte{'\n'})
	if name, _, entry := entryParts(line); entry && h.shared {
		x.feedNamed(name)
		return
	}
	switch doubt := h.shared || h.pieced; {
	case doubt && !two && scan.HasAt(line, 0, PtxasInfo+PropertiesText):
		x.feedCut(line)
		x.cutStack()
	case doubt && two:
		x.feed(line)
		x.cutStack()
	case two:
		x.feed(line)
		x.feed(stack)
	default:
		x.feed(line)
	}
}

// entryParts returns the name and the architecture of a whole Compiling line.
func entryParts(line []byte) (name, arch []byte, ok bool) {
	if !scan.HasAt(line, 0, PtxasInfo+EntryText) {
		return nil, nil, false
	}
	name, arch, ok = bytes.Cut(line[len(PtxasInfo)+len(EntryText):], []byte(EntryArch))
	return name, arch, ok
}

// feedNamed delivers the Compiling line of an entry whose architecture is not
// certain.
func (x *Lexer) feedNamed(name []byte) {
	x.feed(join([]byte(PtxasInfo+EntryText), name, []byte(EntryArch)))
}

// cutStack delivers a stack line whose numbers are not certain.
func (x *Lexer) cutStack() {
	x.m.reset()
	x.m.Kind, x.m.Cut, x.m.Stage = StackFrame, true, Ptxas
	x.kind = ResourceLine
	x.afterProps = false
	x.hold(nil, 0, false)
}

// strayStack takes a stack line that does not stand right below its properties
// line: the two are one message, so what stands between is a piece of another,
// and the stack line can be that one's.
func (x *Lexer) strayStack(b []byte) bool {
	if !scan.HasAt(b, 0, stackIndent) || !ReadStackFrame(b[len(stackIndent):], &x.torn.m) || x.openProperties() != nil {
		return false
	}
	x.cutStack()
	return true
}

// confirm settles the Compiling line of the entry that a Properties line names.
func (x *Lexer) confirm(properties []byte) {
	t := &x.torn
	begin := len(PtxasInfo) + len(PropertiesText)
	if !t.seen || !scan.HasAt(properties, 0, PtxasInfo+PropertiesText) {
		return
	}
	name, _, _ := bytes.Cut(properties[begin:], []byte{'\n'})
	t.names = without(t.names, name)
	var found []byte
	head, rest, certain := -1, -1, true
	for i := range t.heads {
		for j := range t.rests {
			text := join(t.heads[i].text, t.rests[j])
			if !t.whole(text) || t.m.Kind != Entry || !bytes.Equal(t.m.Name, name) {
				continue
			}
			if found == nil {
				found, head, rest = text, i, j
			}
			certain = certain && bytes.Equal(text, found)
		}
	}
	if found == nil {
		return
	}
	if certain && !t.heads[head].shared {
		x.feed(found)
	} else { // which architecture it is for is not
		for i := range t.heads {
			t.heads[i].shared = true
		}
		x.feedNamed(name)
	}
	t.names = without(t.names, name)
	t.heads = append(t.heads[:head], t.heads[head+1:]...)
	t.rests = append(t.rests[:rest], t.rests[rest+1:]...)
}

// takers lists the heads that b makes whole messages.
func (x *Lexer) takers(b []byte) (takers []int) {
	for i := range x.torn.heads {
		h := &x.torn.heads[i]
		if len(b) > 4<<10 || !x.torn.whole(join(h.text, b)) {
			continue
		}
		// Where entries of that beginning wait for their properties, the
		// message is of one of them.
		if m := &x.torn.m; m.Kind == Properties && bytes.IndexByte(h.text, '\n') < 0 && x.awaitedBegin(h.text) && !x.awaited(m.Name) {
			continue
		}
		takers = append(takers, i)
	}
	return takers
}

// tear remembers a head.
func (x *Lexer) tear(parts ...[]byte) {
	t := &x.torn
	if len(t.heads) == mostTorn || len(t.rests) == mostTorn {
		x.flush()
	}
	if !t.seen {
		t.seen = true
		x.tellTorn(x.number, false)
	}
	t.heads = append(t.heads, tornHead{text: join(parts...), line: x.number})
	x.kind = ResourceLine
}

// tellTorn says that a message is torn; cut that it stays so.
func (x *Lexer) tellTorn(line int, cut bool) {
	x.Release()
	x.m.reset()
	x.m.Kind, x.m.Cut = Torn, cut
	x.out.Add(x.m, line)
}

// flush delivers all heads as they are: cut.
func (x *Lexer) flush() {
	t := &x.torn
	heads := t.heads
	t.heads, t.rests = nil, nil
	for _, h := range heads {
		x.tellTorn(h.line, true)
		if line, _, two := bytes.Cut(h.text, []byte{'\n'}); two {
			x.feed(line)
			x.cutStack()
		} else {
			x.feedCut(line)
		}
	}
}

// feedCut reads a head as a line of its own. That a name without quotes is cut
// can't be seen in it.
func (x *Lexer) feedCut(b []byte) {
	x.feed(b)
	if x.holding && x.held.Kind == Properties {
		x.held.Cut = true
	}
}

// feed reads a text as a line of its own.
func (x *Lexer) feed(b []byte) {
	raw := x.raw
	x.raw = b
	if x.fast(b) {
		x.kind = ResourceLine
	} else {
		x.slow(b)
	}
	x.raw = raw
}
