package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/scan"
)

// PtxasInfo is what ptxas writes in front of its resource messages.
const PtxasInfo = "ptxas info    : "

const stackIndent = "    "

// Margins are what stands around the messages of ptxas on their lines: the
// text before them, up to the message itself, and the text behind. Digits of
// times in front can differ.
type Margins struct {
	Left, StackLeft   logtext.Wrapper // up to a message's text, and up to a stack line's number
	Right, StackRight []byte          // from the message to the newline
	// Version counts what may have been changes, so that whoever compared
	// margins knows when to do so again.
	Version int

	wrapper []byte // the plain text of Left, without ptxas's own
}

// Equal reports whether the same lines stand within both.
func (f *Margins) Equal(g *Margins) bool {
	return f.Left == g.Left && f.StackLeft == g.StackLeft && bytes.Equal(f.Right, g.Right) && bytes.Equal(f.StackRight, g.StackRight)
}

// Clone returns a copy that can be read while the Lexer goes on.
func (f *Margins) Clone() *Margins {
	c := *f
	c.Right, c.StackRight = bytes.Clone(f.Right), bytes.Clone(f.StackRight)
	c.wrapper = nil // the Lexer's own
	return &c
}

// bare makes f the margins of lines with nothing around the message but right,
// a carriage return or nothing.
func (f *Margins) bare(right string) {
	if f.Left.Is(PtxasInfo) && string(f.Right) == right {
		return
	}
	f.Version++
	f.Left.Learn([]byte(PtxasInfo))
	f.Right = append(f.Right[:0], right...)
	f.wrapper = f.wrapper[:0]
}

// bareStack does the same for stack lines: some tools colour the others only.
func (f *Margins) bareStack(right string) {
	if f.StackLeft.Is(stackIndent) && string(f.StackRight) == right {
		return
	}
	f.Version++
	f.StackLeft.Learn([]byte(stackIndent))
	f.StackRight = append(f.StackRight[:0], right...)
}

// learn takes a line of ptxas that is in some wrapper, and its message. The
// text behind the message is only learnt where it says nothing.
func (f *Margins) learn(raw, text []byte, p *logtext.Plainer) {
	i, ok := within(raw, text)
	if !ok {
		return
	}
	before, _ := p.Text(raw[:i])
	if !scan.HasSuffix(before, PtxasInfo) {
		return
	}
	wrapper := bytes.Clone(before[:len(before)-len(PtxasInfo)]) // the next text can have its place
	behind := raw[i+len(text):]
	if t, _ := p.Text(behind); len(bytes.TrimRight(t, "\r")) > 0 {
		return
	}
	f.Version++
	f.Left.Learn(raw[:i])
	f.wrapper = wrapper
	f.Right = append(f.Right[:0], behind...)
}

// learnStack takes a stack line that is in some wrapper, and its message.
func (f *Margins) learnStack(raw, text []byte, p *logtext.Plainer) {
	i, ok := within(raw, text)
	if !ok || i == 0 || raw[i-1] != ' ' {
		return
	}
	behind := raw[i+len(text):]
	if t, _ := p.Text(behind); len(bytes.TrimRight(t, "\r")) > 0 {
		return
	}
	f.Version++
	f.StackLeft.Learn(raw[:i])
	f.StackRight = append(f.StackRight[:0], behind...)
}

// within finds a message in its raw line.
func within(raw, text []byte) (at int, ok bool) {
	if len(text) < 8 {
		return 0, false
	}
	at = bytes.Index(raw, text)
	return at, at >= 0 && at <= logtext.LongestWrapper
}
