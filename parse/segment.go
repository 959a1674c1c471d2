package parse

import "bytes"

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
