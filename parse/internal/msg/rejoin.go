package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// goesOn tries the line b as the rest of the held message: terminals, editors
// and mail break lines at a width, inside words or between them. The rest is
// taken only when it makes the message whole, or a longer part of one.
func (x *Lexer) goesOn(b []byte) bool {
	if x.wrapper.Len() > 0 && x.wrapper.Matches(b) && len(b) > x.wrapper.Len() {
		b = b[x.wrapper.Len():] // the rest stands behind the same wrapper
		if len(bytes.TrimSpace(b)) == 0 {
			return false // a blank line
		}
	}
	if x.lone > 0 && x.meetsLone(b) || x.rest(b) {
		return true
	}
	x.heldOpen = false // the rest can't come any more
	return false
}

func (x *Lexer) rest(b []byte) bool {
	if !x.holding || !x.heldOpen || len(x.heldText) > longestWrapped {
		return false
	}
	rest := bytes.TrimSpace(b)
	h := x.held
	switch {
	case h.Cut, h.Kind == None:
		return x.tryJoin(b, "") || x.tryJoin(rest, " ") || x.tryJoin(rest, "")
	case h.Kind == Used && rest[0] == ',':
		return x.tryJoin(rest, "")
	case h.Kind == Entry && len(h.Arch) == 0 && scan.HasAt(rest, 0, "for '"):
		return x.tryJoin(rest, " ")
	case h.Kind == Properties && x.stackBroken(rest):
		return true
	case h.Kind == Properties && h.Stage == Ptxas:
		// The stack line is part of the same message, so nothing but the
		// rest of the name can stand between, where the name's line is as
		// long as lines get.
		edge := x.heldWidth >= x.widest && len(b) <= x.heldWidth
		return edge && b[0] == rest[0] && isName(rest) && x.tryJoin(rest, "")
	case h.Kind == Remark:
		return x.remarkGoesOn(b, rest)
	}
	return false
}

// stackBroken takes a line that goes on with a stack line whose number, and
// perhaps some words, stand behind the held name.
func (x *Lexer) stackBroken(rest []byte) bool {
	h := x.held
	text := join(bytes.TrimRight(h.Name, " \t"), []byte{' '}, rest)
	s := stackNumber(text)
	if s < 2 || s >= len(h.Name) || text[s-1] != ' ' || h.Stage != Ptxas {
		return false
	}
	m := x.m
	m.reset()
	if n := stackFrame(text[s:], m); n < 0 || m.Cut {
		return false
	}
	m.Stage = Ptxas
	h.Name, h.Cut = bytes.TrimRight(text[:s], " \t"), false
	x.kind = ResourceLine
	x.hold(text[s:], len(rest), true)
	return true
}

// remarkGoesOn goes on with a sentence. That a remark is not whole is known
// from the sentence, where it is a known one: then what the line adds must
// agree with it, and where it could be anything, as inside a name, it must be
// one word or the line before be as long as lines get. Of other sentences
// nothing is known, so they go on only at the width where a known message was
// seen to be broken.
func (x *Lexer) remarkGoesOn(b, rest []byte) bool {
	h := x.held
	atEdge := x.heldWidth >= x.widest && len(b) <= x.heldWidth
	hanging := len(b)-len(rest) > 1
	switch how, _ := sentence(h.Text); how {
	case agrees:
		// MSBuild's project behind it can be broken.
		i := bytes.LastIndex(h.Text, []byte(" ["))
		return atEdge && i > 0 && bytes.IndexByte(h.Text[i:], ']') < 0 && scan.HasSuffix(rest, "proj]") && x.tryJoin(b, "")
	case differs:
		if x.heldWidth != x.edge || len(b) > x.edge || hanging || finished(h.Text) {
			return false
		}
		return x.tryJoin(b, "")
	case begins:
	}
	glued, gluedName := x.agreement(b, "")
	spaced, spacedName := x.agreement(rest, " ")
	if atEdge && !hanging && glued != differs && (glued == agrees || spaced != agrees && (gluedName != "" || spacedName == "")) {
		if glued == agrees {
			x.edge = x.heldWidth
		}
		return x.tryJoin(b, "")
	}
	switch {
	case spaced == agrees, spaced == begins && (atEdge || hanging || isName(rest)):
		return x.tryJoin(rest, " ")
	case glued == agrees:
		return x.tryJoin(rest, "")
	}
	return false
}

// agreement tells how far the held remark agrees with a sentence once it is
// joined, and what kernel it names then.
func (x *Lexer) agreement(rest []byte, between string) (agreement, string) {
	to := &x.join[1-x.which]
	before := x.heldText
	if between != "" {
		before = bytes.TrimRight(before, " \t")
	}
	*to = append(append(append((*to)[:0], before...), between...), rest...)
	m := x.m
	m.reset()
	remark(withoutProject(bytes.TrimRight(*to, " \t")), m)
	how, kernel := sentence(m.Text)
	return how, string(kernel)
}

// longestWrapped bounds the messages that are pieced together. Each line that
// is added copies what is there.
const longestWrapped = 64 << 10

// tryJoin reads the held text, between and rest as one text. It is taken when
// it says more than the held text alone and nothing is left over.
func (x *Lexer) tryJoin(rest []byte, between string) bool {
	h := x.held
	to := &x.join[1-x.which]
	before := x.heldText
	if between != "" {
		before = bytes.TrimRight(before, " \t")
	}
	*to = append(append(append((*to)[:0], before...), between...), rest...)
	text := bytes.TrimRight(*to, " \t")
	m := x.m
	m.reset()
	if h.Kind == StackFrame {
		if n := stackFrame(text, m); n < len(text) {
			return false
		}
		if m.Cut {
			m.Stack, m.Stores, m.Loads = 0, 0, 0
		}
	} else {
		text = withoutProject(text)
		x.read(text)
		if !x.better(m, h, text) {
			return false
		}
	}
	// the opening's words can lie in the buffer that the next join writes to.
	n := len(h.Tool)
	o := n + len(h.Input)
	x.kept = append(append(append(x.kept[:0], h.Tool...), h.Input...), h.Before...)
	m.Tool, m.Input, m.Before = x.kept[:n:n], x.kept[n:o:o], x.kept[o:]
	m.Stage, m.Severity, m.InputLine = h.Stage, h.Severity, h.InputLine
	if m.Stage == StageUnknown && m.Kind.IsResource() {
		m.Stage = unnamedStage(text)
	}
	m.Bare = h.Bare
	x.which = 1 - x.which
	x.m, x.held = h, m
	if between == "" && m.Kind.IsResource() && !m.Cut && x.heldWidth >= x.widest {
		x.edge = x.heldWidth // a whole message was broken here
	}
	x.heldText, x.heldWidth = *to, len(rest)
	x.afterProps = m.Kind == Properties && !m.Cut
	x.kind = max(x.kind, ResourceLine)
	if m.Kind == Remark {
		x.kind = RemarkLine
	}
	return true
}

// better reports whether the joined message m says more than h.
func (x *Lexer) better(m, h *Message, text []byte) bool {
	switch {
	case h.Kind == Remark && m.Kind == Remark:
		return true
	case h.Kind != None && h.Kind != Remark && m.Kind != h.Kind:
		return false
	case m.Kind == Remark:
		return false
	case m.Kind == Entry || m.Kind == Properties:
		// Of a name more can follow, and the words behind it.
		more := bytes.TrimSuffix(bytes.TrimSuffix(text[len(x.heldText):], []byte(" for")), []byte(" f"))
		return !m.Cut && isName(m.Name) || m.Cut && h.Cut && bytes.IndexByte(more, ' ') < 0
	case m.Cut:
		// Still not whole, but more fields than before were.
		return m.Kind == Used && h.Cut && (m.Values != h.Values || m.BankCount != h.BankCount)
	}
	return true
}

// isName reports whether b can be a mangled name: one word.
func isName(b []byte) bool {
	for _, c := range b {
		if c <= ' ' || c == ':' || c == ',' {
			return false
		}
	}
	return len(b) > 0
}

// finished recognises the ends of the tools' sentences. A remark without one,
// on a line as long as lines get, goes on in the next line.
func finished(text []byte) bool {
	if n := len(text); n == 0 || text[n-1] == '.' || text[n-1] == ')' || text[n-1] == '\'' {
		return true
	} else if text[n-1]-'0' < 10 && bytes.Contains(text, []byte(" lower bound of ")) {
		return true
	}
	for _, end := range [...]string{
		" ignored", " determined", " loads", " bytes", " option", " option specified", " float", " errors",
		" count", " qualifier", " higher", " later", " thread count", " .maxnreg", " call to it", " arguments", " failed",
	} {
		if scan.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// splitLone takes an opening without a message off the end of a line.
func splitLone(b []byte) (before, lone []byte) {
	t := bytes.TrimRight(b, " \t")
	for _, end := range [...]string{"ptxas", "info", "warning", "error", "fatal", "nvlink"} {
		if !scan.HasSuffix(t, end) {
			continue
		}
		i := len(t) - len(end)
		if StageOf(t[i:]) == StageUnknown {
			before := bytes.TrimRight(t[:i], " \t")
			i = bytes.LastIndexAny(before, " \t>|") + 1
			if len(before) == len(t)-len(end) || StageOf(before[i:]) == StageUnknown {
				return b, nil
			}
		}
		if i > 0 && t[i-1] != ' ' && t[i-1] != '\t' && t[i-1] != '>' {
			return b, nil
		}
		return t[:i], t[i:]
	}
	return b, nil
}

// loneOpening remembers an opening without a message: text in columns has `ptxas
// info` and `: MESSAGE` on lines of their own, several of each in a row.
func (x *Lexer) loneOpening(t []byte) {
	if !bytes.Equal(x.lonePartly, t) {
		x.lone = 0
		x.lonePartly = append(x.lonePartly[:0], t...)
	}
	x.lone++
}

// meetsLone joins a line to the opening that stood alone before it.
func (x *Lexer) meetsLone(b []byte) bool {
	rest := bytes.TrimSpace(b)
	to := &x.join[1-x.which]
	*to = append(append(append((*to)[:0], x.lonePartly...), ' '), rest...)
	h, ok := x.nextMessage(*to, 0)
	if !ok || h.at != 0 || h.Tool == nil {
		return false
	}
	x.lone--
	x.Release()
	x.which = 1 - x.which
	x.emit(*to, h, len(*to), false)
	x.heldWidth = len(b)
	return true
}
