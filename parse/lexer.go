package parse

// LineClass says what a line of the log is to occlint.
type LineClass uint8

// The classes of lines.
const (
	// LineOther is anything that is not a message of ptxas, nvlink or nvcc:
	// progress, the host compiler, the build tool.
	LineOther LineClass = iota
	// LineResource is a resource line of ptxas, nvlink or cuobjdump, or the
	// continuation of one.
	LineResource
	// LineMessage is a remark of ptxas, nvlink or nvcc.
	LineMessage
)

// sink takes messages in the order of the log.
type sink interface {
	add(m *message, line int)
}

// A lexer recognises the messages inside lines. It knows the words of the
// tools and nothing of records.
//
// A message is handed on when the next line is seen, because that line can be
// the rest of it.
type lexer struct {
	out    sink
	m      *message // the message being read
	held   *message // the last message of the line before, not handed on yet
	number int      // of the line being read
	raw    []byte   // the line being read
	class  LineClass

	holding    bool
	heldLine   int
	heldText   []byte // the held message's text behind its head, to the end of its line
	heldOpen   bool   // nothing but the end of its line ended it
	heldUse    int    // x.plain's buffer when it was held
	heldWidth  int    // length of the line that ended with it
	widest     int    // longest line so far; a wrapped log has many as long
	edge       int    // width at which a known message was broken, 0 for none
	lone       int    // heads whose message stands on a line of its own
	lonePartly []byte

	lead    lead // the wrapper of the last message
	frame   frame
	ptxas   []byte
	plain   plainer
	learner plainer   // plain's buffers are in use while it is held
	join    [2][]byte // joined lines; one holds the held message's text
	which   int
	kept    []byte // the head's words of a joined message

	// prefix is what stood before the tool word of the last properties line;
	// its stack line has the same in front.
	prefix     []byte
	prefixes   [][]byte // those of other jobs' properties lines
	afterProps bool     // the line before was a whole properties line
}

func newLexer(out sink) *lexer {
	x := &lexer{out: out, m: new(message), held: new(message), ptxas: []byte("ptxas")}
	x.frame.unwrapped("")
	x.frame.unwrappedStack("")
	return x
}

// line recognises the messages of one line, given without its newline. The
// lexer borrows b until the next call of line or settle.
func (x *lexer) line(b []byte, number int) LineClass {
	x.number, x.raw = number, b
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	if x.fast(b) {
		return LineResource
	}
	x.class = LineOther
	x.slow(b)
	return x.class
}

// hold hands the held message on and holds x.m. open says that its text went
// to the end of the line, so that the next line can go on with it.
func (x *lexer) hold(text []byte, width int, open bool) {
	x.release()
	x.m, x.held = x.held, x.m
	x.holding, x.heldLine, x.heldText, x.heldOpen, x.heldWidth = true, x.number, text, open, width
	x.heldUse = x.plain.use
	x.widest = max(x.widest, width)
}

// release hands the held message on.
func (x *lexer) release() {
	if x.holding {
		x.holding = false
		if x.held.kind != msgNone {
			x.out.add(x.held, x.heldLine)
		}
	}
}

// settle lets go of the bytes that the lexer borrowed: those of the held
// message are copied.
func (x *lexer) settle() {
	if !x.holding {
		return
	}
	h := x.held
	x.which = 1 - x.which // the held text can be in the other buffer
	to := x.join[x.which][:0]
	to = append(to, x.heldText...)
	n := len(to)
	parts := [...]*[]byte{&h.tool, &h.code, &h.name, &h.arch, &h.text, &h.input, &h.before}
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

// skipped says that the lines of a whole record were read, which are none of
// the lexer's business but for the wrapper of its properties line. width is the
// length of the longest.
func (x *lexer) skipped(width int) {
	x.afterProps, x.lone = false, 0
	x.prefix = append(x.prefix[:0], x.frame.prefix...)
	x.widest = max(x.widest, width)
}

// cutLine says that the line goes on beyond what line was given of it.
func (x *lexer) cutLine() {
	x.cutHeld()
	x.heldOpen, x.afterProps, x.lone = false, false, 0
}

// end hands everything on at the end of the log. unterminated says that the
// last line has no newline: then all that can go on is cut, however whole it
// looks. More fields can have stood behind the last one, and more letters
// behind a name. It returns whether the line is cut: a driver's log ends
// without a newline, but with a message that nothing can follow.
func (x *lexer) end(unterminated bool) (cut bool) {
	if unterminated {
		cut = !x.holding || x.heldLine != x.number || !closed(x.held)
		if cut {
			x.cutHeld()
		}
	}
	x.release()
	return cut
}

// closed reports a message whose form has an end, and that is whole.
func closed(m *message) bool {
	switch m.kind {
	case msgStack, msgTime:
		return !m.cut
	case msgUsed:
		// lmem is the linker's last field; nvlink may add a target, the
		// driver does not.
		return !m.cut && m.stage == StageNvlink && m.local.Stated() && (len(m.tool) == 0 || len(m.arch) > 0)
	default:
		return false
	}
}

// cutHeld marks the message that the line read last ends with, unless it is
// of a form that can't go on.
func (x *lexer) cutHeld() {
	if !x.holding || x.heldLine != x.number {
		return
	}
	switch h := x.held; h.kind {
	case msgUsed, msgModule, msgProps, msgData, msgCommon:
		h.cut = true
	case msgEntry:
		h.cut = h.cut || len(h.arch) == 0
	default:
	}
}
