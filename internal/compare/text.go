package compare

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/occlint/occlint/internal/term"
)

// View is how much of a diff to show.
type View struct {
	Old, New string // what the two sides are called
	Limit    int    // rows per section; 0 shows all
	// Gains are the kernels whose code spills more, where both sides are
	// binaries.
	Gains []SpillGain
}

// Text writes the diff for people, regressions first.
func (d *Diff) Text(w io.Writer, style *term.Style, view View) error {
	b := bufio.NewWriter(w)
	headline := d.Headline()
	switch {
	case d.Count(Regressed) > 0:
		headline = style.Error(headline)
	case d.Common() == 0:
		headline = style.Warning(headline)
	default:
		headline = style.Good(headline)
	}
	fmt.Fprintf(b, "%s (a regression: %s)\n", headline, d.ThresholdText())
	for _, s := range d.sections(view.Limit, style.Text("→")) {
		fmt.Fprintf(b, "\n%s\n", style.Strong(fmt.Sprintf("%s (%d)", headings[s.status], s.kernels)))
		s.table(b, style)
		if s.left > 0 {
			fmt.Fprintf(b, "  %s left out; --limit 0 shows all\n", plural(s.left, "kernel"))
		}
	}
	view.gainsText(b, style)
	fmt.Fprintln(b)
	if counts := d.Counts(); counts != "" {
		fmt.Fprintln(b, counts)
	}
	for _, note := range d.Notes() {
		fmt.Fprintln(b, style.Faint("note: "+note))
	}
	return b.Flush()
}

// table lays the rows out in columns. A cell that breaks a threshold is marked
// by a sign too, since colour alone tells some readers nothing.
func (s *section) table(b *bufio.Writer, style *term.Style) {
	used := columns(s.rows)
	lines := make([][]string, 0, len(s.rows)+1)
	head := []string{"kernel", "arch"}
	for _, f := range used {
		head = append(head, f.heading())
	}
	withSource := hasSource(s.rows)
	if withSource {
		head = append(head, "source")
	}
	lines = append(lines, head)
	for _, r := range s.rows {
		line := []string{style.Text(r.label), r.archs}
		for _, f := range used {
			cell := r.cells[f]
			if r.hot[f] {
				cell += " !"
			}
			line = append(line, cell)
		}
		if withSource {
			line = append(line, style.Text(r.source))
		}
		lines = append(lines, line)
	}
	widths := make([]int, len(head))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], term.Width(cell))
		}
	}
	if style.Width > 0 {
		rest := 2
		for _, w := range widths[1:] {
			rest += w + 2
		}
		widths[0] = min(widths[0], max(24, style.Width-rest))
	}
	for n, line := range lines {
		var text strings.Builder
		for i, cell := range line {
			cell = term.Pad(style.Fit(cell, widths[i]), widths[i])
			switch {
			case n == 0:
				cell = style.Faint(cell)
			case i >= 2 && i < 2+len(used) && s.rows[n-1].hot[used[i-2]]:
				cell = style.Error(cell)
			}
			text.WriteString("  " + cell)
		}
		fmt.Fprintln(b, strings.TrimRight(text.String(), " "))
	}
}
