package parse

import "bytes"

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
type lexer struct {
	out     sink
	number  int // of the line being read
	m       message
	class   LineClass
	scratch []byte

	// prefix is what stood before the tool word of the last properties line;
	// its stack line has the same in front.
	prefix     []byte
	afterProps bool // the line before was a whole properties line
}

// line recognises the messages of one line, given without its newline.
func (x *lexer) line(b []byte, number int) LineClass {
	x.number = number
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	if x.fast(b) {
		return LineResource
	}
	return x.slow(b)
}

const ptxasHead = "ptxas info    : "

// fast takes the lines that ptxas itself writes, when nothing stands before
// or behind the message. Everything else is for slow.
func (x *lexer) fast(b []byte) bool {
	m := &x.m
	if hasAt(b, 0, ptxasHead) {
		body := b[len(ptxasHead):]
		m.reset()
		if n := resource(body, m); n != len(body) || m.cut {
			return false
		}
		if m.name != nil && !plainName(m.name) {
			return false
		}
		m.tool, m.stage, m.sev = b[:len("ptxas")], StagePtxas, Info
		x.afterProps = m.kind == msgProps
		if x.afterProps {
			x.prefix = x.prefix[:0]
		}
		x.out.add(m, x.number)
		return true
	}
	if hasAt(b, 0, "    ") && len(b) > 4 && b[4]-'0' < 10 {
		m.reset()
		if n := stackFrame(b[4:], m); n != len(b)-4 || m.cut {
			return false
		}
		if len(x.prefix) > 0 {
			return false
		}
		m.stage = StagePtxas
		x.afterProps = false
		x.out.add(m, x.number)
		return true
	}
	return false
}

// plainName reports whether a name is made of bytes that no encoding, wrapper
// or torn line put there.
func plainName(b []byte) bool {
	for _, c := range b {
		if !isWordByte(c) && c != '$' && c != '.' {
			return false
		}
	}
	return true
}

// slow finds the messages of a line wherever they stand in it.
func (x *lexer) slow(b []byte) LineClass {
	x.class = LineOther
	b = x.plain(b)
	for len(b) > 0 {
		part, rest, _ := bytes.Cut(b, []byte{'\r'})
		if len(part) > 0 {
			x.segment(part)
		}
		b = rest
	}
	return x.class
}

// segment recognises the messages of one line, or of what one carriage return
// leaves of it.
func (x *lexer) segment(b []byte) {
	after := x.afterProps
	x.afterProps = false
	h, ok := x.nextMessage(b, 0)
	if !ok {
		x.bare(b, after)
		return
	}
	for {
		next, more := x.nextMessage(b, h.body)
		limit := len(b)
		if more {
			limit = next.start
		}
		x.emit(b, h, limit, more)
		if !more {
			return
		}
		h = next
	}
}

// nextMessage returns the next head at or after from that starts a message of
// a tool we know, or a resource message of one we do not.
func (x *lexer) nextMessage(b []byte, from int) (head, bool) {
	for {
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
		x.m.reset()
		if resource(b[h.body:], &x.m) >= 0 && !x.m.cut || h.padded && h.sev >= Error && len(b) > h.body {
			return h, true
		}
		from = h.body
	}
}

// emit hands over the message that h begins and that ends at limit; glued
// says that another message begins there.
func (x *lexer) emit(b []byte, h head, limit int, glued bool) {
	m := &x.m
	m.reset()
	text := b[h.body:max(limit, h.body)]
	// A process that is interrupted inside its write leaves no blank before
	// the next one's text; a list that was going on leaves its comma.
	torn := glued && (len(text) == 0 || text[len(text)-1] != ' ' && text[len(text)-1] != '\t')
	text = bytes.TrimRight(text, " \t")
	torn = torn || glued && len(text) > 0 && text[len(text)-1] == ','
	if n := resource(text, m); n >= 0 {
		x.finishResource(m, text[n:])
	} else {
		m.reset()
		remark(text, m)
	}
	m.cut = m.cut || torn
	m.tool, m.stage, m.sev = h.tool, h.stage, h.sev
	m.input, m.inputLine = h.input, h.inputLine
	if m.stage == StageUnknown && m.kind.isResource() {
		m.stage = unnamedStage(text)
	}
	if m.kind.isResource() {
		x.class = max(x.class, LineResource)
		if m.kind == msgProps && !m.cut {
			x.afterProps = true
			x.prefix = append(x.prefix[:0], b[:h.start]...)
		}
	} else {
		x.class = LineMessage
	}
	x.out.add(m, x.number)
}

// finishResource reads what may stand behind a resource message: nvlink's
// target, and text that is nobody's.
func (x *lexer) finishResource(m *message, tail []byte) {
	if arch, n := target(tail); n > 0 {
		m.arch, tail = arch, tail[n:]
	}
	if hasAt(tail, 0, "...") {
		m.cut = true
	}
	if m.kind == msgProps && hasSuffix(m.name, "proj]") { // MSBuild names its project behind each line
		if i := bytes.LastIndex(m.name, []byte(" [")); i > 0 {
			m.name = m.name[:i]
		}
	}
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

// bare recognises what has no tool and severity in front: stack lines,
// cuobjdump's list, and the ways in which a build says that it failed.
func (x *lexer) bare(b []byte, afterProps bool) {
	m := &x.m
	m.reset()
	switch {
	case x.stackLine(b, afterProps):
	case listing(b, m):
		m.stage = StageCuobjdump
	case failure(b, m):
		x.out.add(m, x.number)
		return
	default:
		return
	}
	x.class = max(x.class, LineResource)
	x.out.add(m, x.number)
}

// stackLine recognises the second line of a properties message.
func (x *lexer) stackLine(b []byte, afterProps bool) bool {
	i := bytes.Index(b, []byte(stackWords))
	if i < 0 {
		return false
	}
	s := i
	for s > 0 && b[s-1]-'0' < 10 {
		s--
	}
	m := &x.m
	n := stackFrame(b[s:], m)
	if n < 0 {
		return false
	}
	if hasAt(b[s:], n, "...") {
		m.cut = true
	}
	m.stage = StagePtxas
	before := b[:s]
	blank := len(bytes.TrimRight(before, " \t")) < len(before)
	switch {
	case afterProps && sameShape(before, x.prefix) && (blank || len(before) == len(x.prefix)):
		// Directly below its properties line, behind the same wrapper; some
		// wrappers eat the indent.
	case blank && (len(bytes.TrimSpace(before)) == 0 || sameShape(before, x.prefix) || driverStack(before)):
	default:
		// Something else stands before the number: the line is torn, and the
		// number may be the end of a longer one.
		m.cut = true
	}
	if m.cut {
		m.stack, m.stores, m.loads = 0, 0, 0
	}
	return true
}

// driverStack recognises the driver's own front of a stack line, in logs of
// its JIT, NVRTC and OpenCL: `ptxas         .     0 bytes stack frame`.
func driverStack(before []byte) bool {
	t := bytes.TrimRight(before, " \t")
	if n := len(t); n > 0 && (t[n-1] == '.' || t[n-1] == ':') {
		t = bytes.TrimRight(t[:n-1], " \t")
	}
	return hasSuffix(t, "ptxas")
}

// sameShape reports whether two wrappers are the same but for their numbers
// (times, line numbers, percentages) and their blanks.
func sameShape(a, b []byte) bool {
	for {
		ca, na := shapeByte(a)
		cb, nb := shapeByte(b)
		if ca != cb {
			// Blanks at the end are the stack line's indent.
			return (ca == 0 && len(bytes.TrimLeft(b, " \t")) == 0) || (cb == 0 && len(bytes.TrimLeft(a, " \t")) == 0)
		}
		if ca == 0 {
			return true
		}
		a, b = a[na:], b[nb:]
	}
}

// shapeByte returns the next byte of a wrapper's shape and how many bytes it
// stands for: 0 at the end, '0' for a number, ' ' for blanks.
func shapeByte(b []byte) (c byte, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	switch c = b[0]; {
	case c-'0' < 10:
		for n = 1; n < len(b) && b[n]-'0' < 10; n++ {
		}
		return '0', n
	case c == ' ' || c == '\t':
		for n = 1; n < len(b) && (b[n] == ' ' || b[n] == '\t'); n++ {
		}
		return ' ', n
	}
	return c, 1
}
