package report

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/share"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

// writeText writes the findings as people read them in a terminal, then a
// summary line.
func writeText(w *bufio.Writer, in *Input) error {
	t := &textWriter{Writer: w, in: in, style: in.style()}
	list := in.messages(in.shown())
	advise(list)
	if in.inCI() && len(list) > fewMessages && !in.Quiet {
		// Who opens the log of a build sees its first screen.
		t.verdict()
		t.newline()
	}
	var headlines []*rules.Finding
	for _, b := range list {
		headlines = append(append(headlines, b.worst), b.also...)
	}
	in.shorten(longNames(headlines))
	t.blocks(list)
	if !in.Quiet {
		t.summary()
	}
	return nil
}

type textWriter struct {
	*bufio.Writer
	in    *Input
	style *term.Style
}

// blocks writes messages. Where there are many the processors share them.
func (t *textWriter) blocks(list []*block) {
	const worthwhile = 512 // messages; fewer are written before another thread has begun
	number := share.Parts(len(list), worthwhile)
	if number == 1 {
		for _, b := range list {
			t.block(b)
		}
		return
	}
	parts := make([]bytes.Buffer, number)
	share.Do(len(list), number, func(i, from, to int) {
		part := &textWriter{Writer: bufio.NewWriter(&parts[i]), in: t.in, style: t.style}
		for _, b := range list[from:to] {
			part.block(b)
		}
		_ = part.Flush() // to memory
	})
	for i := range parts {
		_, _ = parts[i].WriteTo(t.Writer) // which keeps its first error for Flush
	}
}

// block writes one message: a headline, where, what the log says, then facts
// and help.
func (t *textWriter) block(b *block) {
	f := b.worst
	t.headline(f)
	t.where(f)
	t.logLine(f)
	t.declared(f)
	t.facts(b)
	t.newline()
}

// logLine writes what the log says, with its place where that is another than
// the finding's.
func (t *textWriter) logLine(f *rules.Finding) {
	if f.LogText != "" && !strings.HasSuffix(f.Message, f.LogText) {
		text := brief(f.LogText)
		if log := place(f.Log); log != "" && f.Log != anchor(f) {
			text = log + ": " + text
		}
		t.marked(" |  ", text, t.style.Faint)
	}
}

func (t *textWriter) headline(f *rules.Finding) {
	word := f.Severity.String()
	rule := "[" + f.Rule + "]"
	lines := t.wrap(word+": ", t.in.message(f)+" "+rule)
	for i, line := range lines {
		tail := ""
		if i == len(lines)-1 {
			// The rule is one word; only a line narrower than it can cut it.
			if head, ok := strings.CutSuffix(line, rule); ok {
				line, tail = head, t.style.Code(rule)
			}
		}
		if i == 0 {
			t.print(look(t.style, f.Severity)(word), t.style.Strong(": "+strings.TrimRight(line, " ")))
		} else {
			t.print(strings.Repeat(" ", len(word)+2), t.style.Strong(strings.TrimRight(line, " ")))
		}
		if tail != "" && strings.HasSuffix(line, " ") {
			t.print(" ")
		}
		t.print(tail, "\n")
	}
}

// look is how a severity's words are shown.
func look(style *term.Style, s rules.Severity) func(string) string {
	switch s {
	case rules.Error:
		return style.Error
	case rules.Warning:
		return style.Warning
	case rules.Info:
		return style.Info
	default:
		return style.Faint
	}
}

// where writes the place that the finding points to, with the declaration
// that stands there.
func (t *textWriter) where(f *rules.Finding) {
	at := place(anchor(f))
	if at != "" {
		text := at
		if f.Declared.Text != "" && f.Declared.Place == f.Place {
			text += "  " + brief(f.Declared.Text)
		}
		t.marked("--> ", text, t.style.Place)
	}
}

// declared writes where the limit comes from, when that is another place than
// the finding's.
func (t *textWriter) declared(f *rules.Finding) {
	if f.Declared.From == "" || f.Declared.Place == f.Place {
		return
	}
	text := "declared in " + string(f.Declared.From)
	if p := place(f.Declared.Place); p != "" {
		text = "declared at " + p
	} else if f.Declared.Text == "" {
		return // by a program that says no more than that
	}
	if f.Declared.Text != "" {
		text += ": " + brief(f.Declared.Text)
	}
	t.marked(" = ", text, nil)
}

// facts writes the facts behind the verdict, then help.
func (t *textWriter) facts(b *block) {
	for _, fact := range t.in.facts(b) {
		t.marked(" = ", fact, nil)
	}
	for _, help := range b.advice {
		t.help(help)
	}
}

// advise decides which advice is written under each message. A companion's is
// general; once is enough for all.
func advise(list []*block) {
	advised := map[string]bool{}
	for _, b := range list {
		for i, help := range b.helps() {
			if i > 0 && advised[help] {
				continue
			}
			if i > 0 {
				advised[help] = true
			}
			b.advice = append(b.advice, help)
		}
	}
}

// helps is the advice of a block, each safe to print on a line: the worst
// finding's, then that of its companions.
func (b *block) helps() []string {
	var list []string
	for _, f := range append([]*rules.Finding{b.worst}, b.also...) {
		if help := brief(f.Help); help != "" && !slices.Contains(list, help) {
			list = append(list, help)
		}
	}
	return list
}

// facts are the arithmetic behind a verdict, the companions of the finding
// with theirs, and what else the message stands for, each safe to print on a
// line. What two findings of a block say alike is said once.
func (in *Input) facts(b *block) []string {
	f := b.worst
	var list, said []string
	add := func(notes []string) {
		for _, n := range notes {
			// What ends with the log line stands there already.
			if !slices.Contains(said, n) && (f.LogText == "" || !strings.HasSuffix(n, f.LogText)) {
				said = append(said, n)
				list = append(list, brief(n))
			}
		}
	}
	add(f.Notes)
	for _, a := range b.also {
		list = append(list, "also "+in.message(a)+" ["+a.Rule+"]")
		add(a.Notes)
	}
	if n := familyNote(b); n != "" {
		list = append(list, n)
	}
	return list
}

// familyNote says what else a block stands for; empty when it is one kernel
// on one architecture.
func familyNote(b *block) string {
	kernels, archs := b.kernels()
	if kernels <= 1 && len(archs) <= 1 {
		return ""
	}
	s := "the worst of " + plural(kernels, "kernel") + " of this family on "
	switch {
	case kernels == 1:
		s = "the worst of " + plural(len(archs), "architecture") + ": "
	case b.worst.Parent != "":
		s = "the worst of " + plural(kernels, "compilation") + " for different kernels on "
	}
	if len(archs) == 0 {
		archs = []string{"an architecture that is not stated"}
	}
	s += list(archs, 6)
	return s + b.ranges() + " (--no-group lists each)"
}

// ranges says from where to where the numbers of a block's findings go, each
// on its own where there are several.
func (b *block) ranges() string {
	var s strings.Builder
	of := measures(b.worst)
	for _, m := range of {
		low, high := m.Value, m.Value
		for _, f := range b.all {
			if f.Rule != b.worst.Rule || f.Unit != b.worst.Unit {
				continue
			}
			for _, other := range measures(f) {
				if other.Field == m.Field {
					low, high = min(low, other.Value), max(high, other.Value)
				}
			}
		}
		if b.worst.Unit == "" || low == high {
			continue
		}
		fmt.Fprintf(&s, ", %s to %s %s", number(low), number(high), b.worst.Unit)
		if len(of) > 1 {
			s.WriteString(" of " + strings.ReplaceAll(m.Field, "_", " "))
		}
	}
	return s.String()
}

// list joins words with commas, at most n of them.
func list(words []string, n int) string {
	if len(words) <= n {
		return strings.Join(words, ", ")
	}
	return strings.Join(words[:n], ", ") + fmt.Sprintf(" and %d more", len(words)-n)
}

// indent is how far everything below a headline stands in.
const indent = "  "

// marked writes text after a mark, wrapped, its other lines below the first's
// text. look colours the text; nil leaves it.
func (t *textWriter) marked(mark, text string, look func(string) string) {
	prefix := indent + mark
	for i, line := range t.wrap(prefix, text) {
		if look != nil {
			line = look(line)
		}
		if i == 0 {
			t.print(indent, t.style.Place(mark))
		} else {
			t.print(strings.Repeat(" ", len(prefix)))
		}
		t.print(line, "\n")
	}
}

func (t *textWriter) help(text string) {
	const word = "help: "
	prefix := indent + " = "
	for i, line := range t.wrap(prefix, word+text) {
		if i == 0 {
			t.print(indent, t.style.Place(" = "), t.style.Good("help:"), strings.TrimPrefix(line, strings.TrimSpace(word)))
		} else {
			t.print(strings.Repeat(" ", len(prefix)), line)
		}
		t.newline()
	}
}

// wrap breaks text so that it fits beside prefix.
func (t *textWriter) wrap(prefix, text string) []string {
	text = t.style.Text(text)
	if t.style.Width == 0 {
		return []string{text}
	}
	return term.Wrap(text, t.style.Width-len(prefix))
}

func (t *textWriter) print(parts ...string) {
	for _, p := range parts {
		_, _ = t.WriteString(p) // the writer keeps its first error for Flush
	}
}

func (t *textWriter) newline() { t.print("\n") }
