package parse

import (
	"bytes"
	"encoding/binary"
)

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

const ptxasHead = "ptxas info    : "

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

// fast takes the lines that ptxas writes itself, when they stand alone on
// their line or in the same frame as before. Everything else is for slow.
func (x *lexer) fast(b []byte) bool {
	if hasAt(b, 0, ptxasHead) {
		if !x.fastHead(b[len(ptxasHead):], len(b), nil) {
			return false
		}
		x.frame.unwrapped(string(x.raw[len(b):])) // "" or "\r"
		return true
	}
	f := &x.frame
	if len(x.prefix) == 0 && hasAt(b, 0, stackIndent) && len(b) > 4 && b[4]-'0' < 10 {
		if !x.fastStack(b[4:], len(b)) {
			return false
		}
		f.unwrappedStack(string(x.raw[len(b):]))
		return true
	}
	if f.head.n > 0 && f.head.matches(b) {
		return x.fastHead(withoutTail(b[f.head.n:], f.tail), len(b), f.prefix)
	}
	if f.stack.n > 0 && f.stack.matches(b) && x.afterProps {
		return x.fastStack(withoutTail(b[f.stack.n:], f.stackTail), len(b))
	}
	return false
}

// withoutTail takes off what the frame has behind a message; the carriage
// return is off already.
func withoutTail(b, tail []byte) []byte {
	return bytes.TrimSuffix(b, bytes.TrimSuffix(tail, []byte{'\r'}))
}

func (x *lexer) fastHead(body []byte, width int, prefix []byte) bool {
	m := x.m
	m.reset()
	if n := resource(body, m); n != len(body) || m.cut || !plainName(m.name) {
		return false
	}
	m.tool, m.stage, m.sev, m.before = x.ptxas, StagePtxas, Info, prefix
	x.lone = 0
	x.afterProps = m.kind == msgProps
	if x.afterProps {
		x.prefix = append(x.prefix[:0], prefix...)
	}
	x.hold(body, width, true)
	return true
}

func (x *lexer) fastStack(body []byte, width int) bool {
	m := x.m
	m.reset()
	if n := stackFrame(body, m); n != len(body) || m.cut {
		return false
	}
	m.stage, m.before = StagePtxas, x.prefix
	x.afterProps, x.lone = false, 0
	x.hold(body, width, false)
	return true
}

// plainName reports whether a name is one word of printable ASCII without
// what can begin an entity or a tag, so that no encoding, wrapper or torn line
// can have had a part in it. It looks at eight bytes at a time: a byte below c
// is one that borrows when c is taken off, a byte equal to c one that is 0
// after an exclusive or.
func plainName(b []byte) bool {
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	for len(b) >= 8 {
		v := binary.LittleEndian.Uint64(b)
		amp, less := v^ones*'&', v^ones*'<'
		if (v|(v-ones*'!')|(v+ones)|(amp-ones)|(less-ones))&high != 0 {
			// Borrows and carries run into higher bytes, so look again.
			if !plainBytes(b[:8]) {
				return false
			}
		}
		b = b[8:]
	}
	return plainBytes(b)
}

func plainBytes(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c >= 0x7f || c == '&' || c == '<' {
			return false
		}
	}
	return true
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
// the lexer's business. ends is where they end.
func (x *lexer) skipped(ends *[4]int) {
	x.release()
	x.afterProps, x.lone = false, 0
	start := 0
	for _, end := range ends {
		x.widest = max(x.widest, end-start-1)
		start = end
	}
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

// slow finds the messages of a line wherever they stand in it.
func (x *lexer) slow(b []byte) {
	if x.plain.use != x.heldUse {
		x.settle() // the held text may be where this line's goes
		x.heldUse = x.plain.use
	}
	t, changed := x.plain.text(b)
	if changed && x.fastPlain(t) {
		x.class = LineResource
		x.learn()
		return
	}
	for {
		i := bytes.IndexByte(t, '\r')
		if i < 0 {
			break
		}
		if i > 0 {
			x.segment(t[:i])
		}
		t = t[i+1:]
	}
	x.segment(t)
	if x.class == LineResource && x.holding && x.heldLine == x.number {
		x.learn()
	}
}

// learn remembers the frame of the message that is held.
func (x *lexer) learn() {
	h := x.held
	if h.cut || h.stage != StagePtxas {
		return
	}
	text := bytes.TrimRight(x.heldText, " \t")
	if h.kind == msgStack {
		x.frame.learnStack(x.raw, text, &x.learner)
	} else if h.sev == Info {
		x.frame.learnHead(x.raw, text, &x.learner)
	}
}

// fastPlain takes a line of ptxas that is alone on its line once colours are
// taken away.
func (x *lexer) fastPlain(t []byte) bool {
	if hasAt(t, 0, ptxasHead) {
		return x.fastHead(t[len(ptxasHead):], len(t), nil)
	}
	if len(x.prefix) == 0 && hasAt(t, 0, stackIndent) && len(t) > 4 && t[4]-'0' < 10 {
		return x.fastStack(t[4:], len(t))
	}
	return false
}

// segment recognises the messages of one line, or of what one carriage return
// leaves of it.
func (x *lexer) segment(b []byte) {
	if len(bytes.TrimSpace(b)) == 0 {
		return // some wrappers put a blank line after each
	}
	b, lone := splitLone(b)
	if lone != nil {
		defer x.loneHead(lone)
		if len(bytes.TrimSpace(b)) == 0 {
			return
		}
	}
	after := x.afterProps
	x.afterProps = false
	h, ok := x.nextMessage(b, 0)
	if !ok {
		x.bare(b, after)
		return
	}
	if bytes.Contains(b[:h.start], []byte("CategoryInfo")) {
		return // PowerShell quotes the first line of a native command once more
	}
	first := h.start
	for {
		next, more := x.nextMessage(b, h.body)
		limit := len(b)
		if more {
			limit = next.start
		}
		x.emit(b, h, limit, more)
		if !more {
			break
		}
		h = next
	}
	if h.start == first {
		x.lead.learn(b[:first])
	}
}

// nextMessage returns the next head at or after from that starts a message of
// a tool we know, or a resource message of one we do not.
func (x *lexer) nextMessage(b []byte, from int) (head, bool) {
	for tries := 0; ; tries++ {
		h, ok := findHead(b, from)
		if !ok {
			return h, false
		}
		if h.tool != nil {
			return h, true
		}
		// The driver's linker prints no tool word; a renamed binary prints
		// its own. Their resource messages are unmistakable; their errors
		// are when padded to the column.
		const mostTries, longest = 64, 64 << 10 // bound what a hostile line costs
		if tries < mostTries {
			x.m.reset()
			text := b[h.body:min(len(b), h.body+longest)]
			if resource(text, x.m) >= 0 && !x.m.cut || h.padded && h.sev >= Error && len(text) > 0 {
				return h, true
			}
		}
		from = h.body
	}
}

// emit takes the message that h begins and that ends at limit; glued says
// that another message begins there.
func (x *lexer) emit(b []byte, h head, limit int, glued bool) {
	whole := b[h.body:max(limit, h.body)]
	text := whole
	// A process that is interrupted inside its write leaves no blank before
	// the next one's text; a list that was going on leaves its comma.
	torn := glued && (len(text) == 0 || text[len(text)-1] != ' ' && text[len(text)-1] != '\t')
	text = withoutProject(bytes.TrimRight(text, " \t"))
	torn = torn || glued && len(text) > 0 && text[len(text)-1] == ','
	m := x.m
	x.read(text)
	m.cut = m.cut || torn
	m.tool, m.stage, m.sev = h.tool, h.stage, h.sev
	m.input, m.inputLine = h.input, h.inputLine
	m.before = b[:h.start]
	if m.stage == StageUnknown && m.kind.isResource() {
		m.stage = unnamedStage(text)
	}
	if bytes.IndexByte(m.arch, '{') >= 0 {
		return // the source of a program that makes such lines: for '{sm_arch}'
	}
	if m.kind.isResource() {
		x.class = max(x.class, LineResource)
		if m.kind == msgProps && !m.cut {
			if s := stackNumber(m.name); s > 0 && m.stage == StagePtxas {
				x.reflowed(b, h, s, whole, glued)
				return
			}
			x.afterProps = true
			x.wrappedIn(b[:h.start])
		}
	} else {
		x.class = LineMessage
	}
	x.hold(whole, len(b), !glued)
}

// reflowed takes a properties message whose line break was lost: the stack
// line, from at in its name on, is on the same line.
func (x *lexer) reflowed(b []byte, h head, at int, whole []byte, glued bool) {
	m := x.m
	name := bytes.TrimRight(m.name[:at], " \t")
	if m.name[at-1] != ' ' || len(name) == 0 {
		m.cut = true
		x.hold(whole, len(b), !glued)
		return
	}
	stack := m.name[at:]
	m.name = name
	x.hold(whole, len(b), false)
	m = x.m
	m.reset()
	if n := stackFrame(stack, m); n < 0 {
		return
	}
	m.stage, m.before = StagePtxas, b[:h.start]
	x.hold(stack, len(b), !glued)
}

// read recognises what the text behind a head says.
func (x *lexer) read(text []byte) {
	m := x.m
	m.reset()
	if n := resource(text, m); n >= 0 {
		finishResource(m, text[n:])
		return
	}
	m.reset()
	remark(text, m)
}

// finishResource reads what may stand behind a resource message: nvlink's
// target, and text that is nobody's.
func finishResource(m *message, tail []byte) {
	if arch, n := target(tail); n > 0 {
		m.arch, tail = arch, tail[n:]
	}
	if hasAt(tail, 0, "...") {
		m.cut = true
	}
}

// withoutProject drops the project that MSBuild names behind each line.
func withoutProject(text []byte) []byte {
	if hasSuffix(text, "proj]") {
		if i := bytes.LastIndex(text, []byte(" [")); i > 0 {
			return text[:i]
		}
	}
	return text
}

func hasSuffix(b []byte, s string) bool {
	return len(b) >= len(s) && string(b[len(b)-len(s):]) == s
}

// unnamedStage tells the stage of a resource message whose tool is not named
// or unknown: nvlink and the driver's linker write a small `used` and quote
// the name in the properties line.
func unnamedStage(text []byte) Stage {
	if hasAt(text, 0, "used ") || hasAt(text, 0, propertiesHead+"'") || len(text) > 0 && text[0]-'0' < 10 {
		return StageNvlink
	}
	return StagePtxas
}

// bare recognises what has no tool and severity in front: stack lines, the
// rest of the message before, cuobjdump's list, and the ways in which a build
// says that it failed.
func (x *lexer) bare(b []byte, afterProps bool) {
	m := x.m
	m.reset()
	switch {
	case x.stackLine(b, afterProps):
		x.class = max(x.class, LineResource)
		x.hold(b[stackNumber(b):], len(b), true)
	case x.failure(b, m), garbled(b, m):
		// First, so that no message before it can take it for its rest.
		x.lone = 0
		x.hold(b, len(b), false)
	case x.goesOn(b):
	case listing(b, m):
		m.stage = StageCuobjdump
		x.class = max(x.class, LineResource)
		x.hold(b, len(b), false)
	default:
		x.widest = max(x.widest, len(b))
		x.lone = 0
	}
}
