package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/occlint/occlint/internal/name"
)

// Problem is one thing that is wrong with a file.
type Problem struct {
	Pos        Pos    // zero when the problem is the file itself
	Message    string // what is wrong; escaped, one line
	Suggestion string // what was probably meant, or what to do; may be empty
	Line       string // the text of the line, as in the file
	Width      int    // how many characters the fault has, at least 1
}

// Errors is everything that is wrong with one file, in order of place.
type Errors struct { //nolint:errname // it is a list of problems, as scanner.ErrorList is
	File     string // as given; it can be set to what people are to see
	What     string // what the file is, for another strict file of ours; empty: the config
	Problems []Problem
}

// maxShown bounds how many problems Error prints.
const maxShown = 50

// Error prints how many problems there are, and every one as an editor can
// read it, with the line and a mark under the fault:
//
//	the config has 1 problem
//	.occlint.yml:7:1: unknown key "kernal"; did you mean "kernels"?
//	  7 | kernal:
//	    | ^^^^^^
func (e *Errors) Error() string {
	if len(e.Problems) == 1 && e.Problems[0].Pos.IsZero() {
		return e.Problems[0].Head(e.File)
	}
	var b strings.Builder
	what := cmp.Or(e.What, "config")
	if n := len(e.Problems); n == 1 {
		fmt.Fprintf(&b, "the %s has 1 problem", what)
	} else {
		fmt.Fprintf(&b, "the %s has %d problems", what, n)
	}
	for i := range e.Problems {
		if i == maxShown {
			fmt.Fprintf(&b, "\n… and %d more", len(e.Problems)-maxShown)
			break
		}
		b.WriteByte('\n')
		e.Problems[i].write(&b, e.File)
	}
	return b.String()
}

// Head returns the problem of a file on one line, without the excerpt.
func (p *Problem) Head(file string) string {
	var b strings.Builder
	b.WriteString(name.Escape(file))
	if !p.Pos.IsZero() {
		fmt.Fprintf(&b, ":%d:%d", p.Pos.Line, p.Pos.Column)
	}
	b.WriteString(": " + p.Message)
	if p.Suggestion != "" {
		b.WriteString("; " + p.Suggestion)
	}
	return b.String()
}

func (p *Problem) write(b *strings.Builder, file string) {
	b.WriteString(p.Head(file))
	if p.Pos.IsZero() {
		return
	}
	text, pad, marks := p.excerpt()
	number := strconv.Itoa(p.Pos.Line)
	fmt.Fprintf(b, "\n  %s | %s\n  %s | %s%s", number, text, strings.Repeat(" ", len(number)),
		strings.Repeat(" ", pad), strings.Repeat("^", marks))
}

// Excerpt returns the line as it can be shown and, for the line below it, how
// many blanks stand before the mark and how wide the mark is, in terminal
// columns.
func (p *Problem) Excerpt() (text string, pad, marks int) { return p.excerpt() }

func (p *Problem) excerpt() (text string, pad, marks int) {
	const before, after = 60, 60 // characters kept around the fault of a long line
	runes := splitRunes(p.Line)
	at := min(p.Pos.Column-1, len(runes))
	end := min(at+max(p.Width, 1), len(runes))
	from, to := max(0, at-before), min(len(runes), max(end, at)+after)
	if to-from > 2*(before+after) {
		to = from + 2*(before+after)
	}
	end = min(end, to)
	var b strings.Builder
	if from > 0 {
		b.WriteString("…")
		pad++
	}
	for i := from; i < to; i++ {
		shown := name.Escape(runes[i])
		if runes[i] == "\t" {
			shown = " "
		}
		b.WriteString(shown)
		switch w := displayWidth(shown); {
		case i < at:
			pad += w
		case i < end:
			marks += w
		}
	}
	if to < len(runes) {
		b.WriteString("…")
	}
	return b.String(), pad, max(marks, 1)
}

// splitRunes cuts a text into characters; a byte that is not UTF-8 is one.
func splitRunes(s string) []string {
	var runes []string
	for len(s) > 0 {
		_, size := utf8.DecodeRuneInString(s)
		runes = append(runes, s[:size])
		s = s[size:]
	}
	return runes
}

// displayWidth is how many columns a terminal gives to a text without control
// characters: two for a wide character of East Asian scripts and for emoji.
func displayWidth(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x1100 && (r <= 0x115F || r >= 0x2E80 && r <= 0xA4CF || r >= 0xAC00 && r <= 0xD7A3 ||
			r >= 0xF900 && r <= 0xFAFF || r >= 0xFE30 && r <= 0xFE6F || r >= 0xFF00 && r <= 0xFF60 ||
			r >= 0xFFE0 && r <= 0xFFE6 || r >= 0x1F300 && r <= 0x1FAFF || r >= 0x20000 && r <= 0x3FFFD) {
			n++
		}
	}
	return n
}

// sort orders the problems by place and drops repetitions, which come from an
// anchor that is used twice.
func (e *Errors) sort() {
	slices.SortStableFunc(e.Problems, func(a, b Problem) int {
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Column - b.Pos.Column
	})
	e.Problems = slices.CompactFunc(e.Problems, func(a, b Problem) bool {
		return a.Pos == b.Pos && a.Message == b.Message
	})
}
