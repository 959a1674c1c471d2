package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// slow finds the messages of a line wherever they stand in it.
func (x *Lexer) slow(b []byte) {
	if x.plain.Turn() != x.heldUse {
		x.Settle() // the held text may be where this line's goes
		x.heldUse = x.plain.Turn()
	}
	t, changed := x.plain.Text(b)
	if changed && x.fastPlain(t) {
		x.kind = ResourceLine
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
	if x.kind == ResourceLine && x.holding && x.heldLine == x.number {
		x.learn()
	}
}

// segment recognises the messages of one line, or of what one carriage return
// leaves of it.
func (x *Lexer) segment(b []byte) {
	if len(bytes.TrimSpace(b)) == 0 {
		return // some wrappers put a blank line after each
	}
	x.last = append(x.last[:0], b[:min(len(b), longestLast)]...)
	b, lone := splitLone(b)
	if lone != nil {
		defer x.loneOpening(lone)
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
	if bytes.Contains(b[:h.at], []byte("CategoryInfo")) {
		return // PowerShell quotes the first line of a native command once more
	}
	if h.at > 0 && x.holding && x.heldOpen && x.held.Kind == Entry && x.held.Cut && !scan.Blank(b[:h.at]) {
		x.rest(b[:h.at]) // the architecture, say, and more behind it
	}
	first := h.at
	for {
		next, more := x.nextMessage(b, h.body)
		limit := len(b)
		if more {
			limit = next.at
		}
		x.emit(b, h, limit, more)
		if !more {
			break
		}
		h = next
	}
	if h.at == first {
		x.wrapper.Learn(b[:first])
	}
}

// nextMessage returns the next opening at or after from that starts a message of
// a tool we know, or a resource message of one we do not.
func (x *Lexer) nextMessage(b []byte, from int) (opening, bool) {
	for tries := 0; ; tries++ {
		h, ok := findOpening(b, from)
		if !ok {
			return h, false
		}
		if h.Tool != nil {
			return h, true
		}
		// The driver's linker prints no tool word; a renamed binary prints
		// its own. Their resource messages are unmistakable; their errors
		// are when padded to the column.
		const mostTries, longest = 64, 64 << 10 // bound what a hostile line costs
		if tries < mostTries {
			x.m.reset()
			text := b[h.body:min(len(b), h.body+longest)]
			if resource(text, x.m) >= 0 && !x.m.Cut || h.padded && h.Severity >= Error && len(text) > 0 {
				return h, true
			}
		}
		from = h.body
	}
}

// emit takes the message that h begins and that ends at limit; glued says
// that another message begins there.
func (x *Lexer) emit(b []byte, h opening, limit int, glued bool) {
	whole := b[h.body:max(limit, h.body)]
	text := whole
	// A process that is interrupted inside its write leaves no blank before
	// the next one's text; a list that was going on leaves its comma.
	torn := glued && (len(text) == 0 || text[len(text)-1] != ' ' && text[len(text)-1] != '\t')
	text = withoutProject(bytes.TrimRight(text, " \t"))
	torn = torn || glued && len(text) > 0 && text[len(text)-1] == ','
	m := x.m
	x.read(text)
	m.Cut = m.Cut || torn
	m.Origin = h.Origin
	if h.Tool == nil && diedText(text) {
		m.Tool = []byte("nvcc")
	}
	m.Before = b[:h.at]
	if m.Stage == StageUnknown && m.Kind.IsResource() {
		m.Stage = unnamedStage(text)
	}
	if bytes.IndexByte(m.Arch, '{') >= 0 {
		return // the source of a program that makes such lines: for '{sm_arch}'
	}
	if m.Kind.IsResource() {
		x.kind = max(x.kind, ResourceLine)
		if m.Kind == Properties && !m.Cut {
			if s := stackNumber(m.Name); s > 0 && m.Stage == Ptxas {
				x.reflowed(b, h, s, whole, glued)
				return
			}
			x.afterProps = true
			x.wrappedIn(b[:h.at])
		}
	} else {
		x.kind = RemarkLine
	}
	x.hold(whole, len(b), !glued)
}

// diedText recognises what nvcc says of a program that it called, `'ptxas' died
// due to signal 11`; it does not always put its name in front.
func diedText(text []byte) bool {
	if len(text) == 0 || text[0] != '\'' {
		return false
	}
	i := bytes.IndexByte(text[1:], '\'')
	return i > 0 && scan.HasAt(text, 1+i+1, " died ")
}

// reflowed takes a properties message whose line break was lost: the stack
// line, from at in its name on, is on the same line.
func (x *Lexer) reflowed(b []byte, h opening, at int, whole []byte, glued bool) {
	m := x.m
	name := bytes.TrimRight(m.Name[:at], " \t")
	if m.Name[at-1] != ' ' || len(name) == 0 {
		m.Cut = true
		x.hold(whole, len(b), !glued)
		return
	}
	stack := m.Name[at:]
	m.Name = name
	x.hold(whole, len(b), false)
	m = x.m
	m.reset()
	if n := stackFrame(stack, m); n < 0 {
		return
	}
	m.Stage, m.Before = Ptxas, b[:h.at]
	x.hold(stack, len(b), !glued)
}

// read recognises what the text behind an opening says.
func (x *Lexer) read(text []byte) {
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
func finishResource(m *Message, tail []byte) {
	if arch, n := target(tail); n > 0 {
		m.Arch, tail = arch, tail[n:]
	}
	if scan.HasAt(tail, 0, "...") {
		m.Cut = true
	}
}

// withoutProject drops the project that MSBuild names behind each line.
func withoutProject(text []byte) []byte {
	if scan.HasSuffix(text, "proj]") {
		if i := bytes.LastIndex(text, []byte(" [")); i > 0 {
			return text[:i]
		}
	}
	return text
}

// unnamedStage tells the stage of a resource message whose tool is not named
// or unknown: nvlink and the driver's linker write a small `used` and quote
// the name in the properties line.
func unnamedStage(text []byte) Stage {
	if scan.HasAt(text, 0, "used ") || scan.HasAt(text, 0, PropertiesText+"'") || len(text) > 0 && text[0]-'0' < 10 {
		return Nvlink
	}
	return Ptxas
}

// bare recognises what has no tool and severity in front: stack lines, the
// rest of the message before, cuobjdump's list, and the ways in which a build
// says that it failed.
func (x *Lexer) bare(b []byte, afterProps bool) {
	m := x.m
	m.reset()
	switch {
	case x.stackLine(b, afterProps):
		x.kind = max(x.kind, ResourceLine)
		x.hold(b[stackNumber(b):], len(b), true)
	case x.failure(b, m), clipped(b, m), garbled(b, m):
		// First, so that no message before it can take it for its rest.
		x.lone = 0
		x.hold(b, len(b), false)
	case x.goesOn(b):
	case x.bareUsed(b, m):
	case listing(b, m):
		m.Stage = Cuobjdump
		x.kind = max(x.kind, ResourceLine)
		x.hold(b, len(b), false)
	default:
		x.widest = max(x.widest, len(b))
		x.lone = 0
	}
}
