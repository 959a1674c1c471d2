package msg

import (
	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/scan"
)

// A Sink takes messages in the order of the log. They are valid during the
// call only.
type Sink interface {
	Add(m *Message, line int)
}

// A Lexer recognises the messages inside lines. It knows the words of the
// tools and nothing of records.
//
// A message is handed on when the next line is seen, because that line can be
// the rest of it.
type Lexer struct {
	out    Sink
	m      *Message // the message being read
	held   *Message // the last message of the line before, not handed on yet
	number int      // of the line being read
	raw    []byte   // the line being read
	kind   LineKind

	holding    bool
	heldLine   int
	heldText   []byte // the held message's text behind its opening, to the end of its line
	heldOpen   bool   // nothing but the end of its line ended it
	heldUse    int    // x.plain's buffer when it was held
	heldWidth  int    // length of the line that ended with it
	widest     int    // longest line so far; a wrapped log has many as long
	edge       int    // width at which a known message was broken, 0 for none
	lone       int    // openings whose message stands on a line of its own
	lonePartly []byte
	last       []byte // the line read last, where it states nothing

	wrapper logtext.Wrapper // the wrapper of the last message
	// Margins are those of the last messages of ptxas.
	Margins Margins
	ptxas   []byte
	plain   logtext.Plainer
	learner logtext.Plainer // plain's buffers are in use while it is held
	join    [2][]byte       // joined lines; one holds the held message's text
	which   int
	kept    []byte // the opening's words of a joined message

	torn mender

	// prefix is what stood before the tool word of the last properties line;
	// its stack line has the same in front.
	prefix     []byte
	prefixes   [][]byte // those of other jobs' properties lines
	afterProps bool     // the line before was a whole properties line
}

// NewLexer returns a Lexer that hands messages to out.
func NewLexer(out Sink) *Lexer {
	x := &Lexer{out: out, m: new(Message), held: new(Message), ptxas: []byte("ptxas")}
	x.Margins.bare("")
	x.Margins.bareStack("")
	return x
}

// Line recognises the messages of one line, given without its newline. The
// lexer borrows b until the next call of line or settle.
func (x *Lexer) Line(b []byte, number int) LineKind {
	x.number, x.raw = number, b
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	if (len(x.torn.heads) > 0 || x.torn.seen) && x.mend(b) {
		x.last = x.last[:0]
		return ResourceLine
	}
	if x.torn.seen && x.strayStack(b) {
		x.last = x.last[:0]
		return ResourceLine
	}
	if x.fast(b) {
		x.last = x.last[:0]
		return ResourceLine
	}
	x.kind = OtherLine
	if (scan.HasAt(b, 0, "ptxas ") || x.afterProps) && x.mend(b) {
		x.last = x.last[:0]
		return x.kind
	}
	x.slow(b)
	return x.kind
}

// hold hands the held message on and holds x.m. open says that its text went
// to the end of the line, so that the next line can go on with it.
func (x *Lexer) hold(text []byte, width int, open bool) {
	if x.m.Kind == Entry && !x.m.NameCut {
		x.torn.await(x.m.Name)
	}
	x.Release()
	x.m, x.held = x.held, x.m
	x.holding, x.heldLine, x.heldText, x.heldOpen, x.heldWidth = true, x.number, text, open, width
	x.heldUse = x.plain.Turn()
	x.widest = max(x.widest, width)
}

// Release hands the held message on.
func (x *Lexer) Release() {
	if x.holding {
		x.holding = false
		if x.held.Kind != None {
			x.out.Add(x.held, x.heldLine)
		}
	}
}

// Settle lets go of the bytes that the lexer borrowed: those of the held
// message are copied.
func (x *Lexer) Settle() {
	if !x.holding {
		return
	}
	h := x.held
	x.which = 1 - x.which // the held text can be in the other buffer
	to := x.join[x.which][:0]
	to = append(to, x.heldText...)
	n := len(to)
	parts := [...]*[]byte{&h.Tool, &h.Code, &h.Name, &h.Arch, &h.Text, &h.Input, &h.Before}
	for _, p := range parts {
		to = append(to, *p...)
	}
	x.join[x.which] = to
	x.heldText = to[:n:n]
	for _, p := range parts {
		if l := len(*p); *p != nil {
			*p = to[n : n+l : n+l]
			n += l
		}
	}
}

// Skip says that the lines of a whole record were read, which are none of
// the lexer's business but for the wrapper of its properties line. width is the
// length of the longest.
func (x *Lexer) Skip(width int) {
	x.last = x.last[:0]
	x.afterProps, x.lone = false, 0
	x.prefix = append(x.prefix[:0], x.Margins.wrapper...)
	x.widest = max(x.widest, width)
}

// CutLine says that the line goes on beyond what line was given of it.
func (x *Lexer) CutLine() {
	x.cutHeld()
	x.heldOpen, x.afterProps, x.lone = false, false, 0
}

// End hands everything on at the end of the log. unterminated says that the
// last line has no newline: then all that can go on is cut, however whole it
// looks. More fields can have stood behind the last one, and more letters
// behind a name. It returns whether the line is cut: a driver's log ends
// without a newline, but with a message that nothing can follow.
func (x *Lexer) End(unterminated bool) (cut bool) {
	x.flush()
	last := x.holding && x.heldLine == x.number // the message is the last line's
	if unterminated {
		cut = !last || !closed(x.held)
		if cut {
			x.cutHeld()
		}
	}
	cut = cut || breaksOff(x.last) || last && x.held.Kind == CompileTime && x.held.Cut
	x.Release()
	return cut
}

// closed reports a message whose form has an end, and that is whole.
func closed(m *Message) bool {
	switch m.Kind {
	case StackFrame, CompileTime:
		return !m.Cut
	case Used:
		// lmem is the linker's last field; nvlink may add a target, the
		// driver does not.
		return !m.Cut && m.Stage == Nvlink && m.Local.Stated() && (len(m.Tool) == 0 || len(m.Arch) > 0)
	default:
		return false
	}
}

// cutHeld marks the message that the line read last ends with, unless it is
// of a form that can't go on.
func (x *Lexer) cutHeld() {
	if !x.holding || x.heldLine != x.number {
		return
	}
	switch h := x.held; h.Kind {
	case Used, Module, Properties, ListData, ListCommon:
		h.Cut = true
	case Entry:
		h.Cut = h.Cut || len(h.Arch) == 0
	default:
	}
}

// Holding reports whether a message is held that the next line may go on with.
func (x *Lexer) Holding() bool { return x.holding }
