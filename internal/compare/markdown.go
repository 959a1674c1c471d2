package compare

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Markdown writes the diff as a pull-request comment: what got worse in the
// open, the rest folded. Names come from the log and can hold anything, so
// nothing in them works as markup.
func (d *Diff) Markdown(w io.Writer, view View) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "### occlint: %s\n\n", markdownText(d.Headline()))
	fmt.Fprintf(b, "%s → %s; a regression is %s", markdownCode(view.Old), markdownCode(view.New), markdownCode(d.ThresholdText()))
	if counts := d.Counts(); counts != "" {
		fmt.Fprintf(b, ". Besides: %s", counts)
	}
	fmt.Fprint(b, ".\n")
	for _, s := range d.sections(view.Limit, "→") {
		if s.status == Regressed {
			fmt.Fprintln(b)
			s.markdown(b)
			continue
		}
		fmt.Fprintf(b, "\n<details><summary>%s (%d)</summary>\n\n", headings[s.status], s.kernels)
		s.markdown(b)
		fmt.Fprint(b, "\n</details>\n")
	}
	view.gainsMarkdown(b)
	for i, note := range d.Notes() {
		if i == 0 {
			fmt.Fprintln(b)
		}
		fmt.Fprintf(b, "- %s\n", markdownText(note))
	}
	return b.Flush()
}

// nameLimit bounds a name in a comment: GitHub refuses comments above 65,536
// characters, and a template's name alone can have thousands.
const nameLimit = 120

func (s *section) markdown(b *bufio.Writer) {
	used := columns(s.rows)
	fmt.Fprint(b, "| kernel | arch |")
	for _, f := range used {
		fmt.Fprintf(b, " %s |", f.heading())
	}
	withSource := hasSource(s.rows)
	if withSource {
		fmt.Fprint(b, " source |")
	}
	fmt.Fprint(b, "\n|---|---|", strings.Repeat("---:|", len(used)))
	if withSource {
		fmt.Fprint(b, "---|")
	}
	fmt.Fprintln(b)
	for _, r := range s.rows {
		fmt.Fprintf(b, "| %s | %s |", markdownCode(shorten(r.label, nameLimit)), markdownCode(shorten(r.archs, nameLimit)))
		for _, f := range used {
			cell := r.cells[f]
			if r.hot[f] {
				cell = "**" + cell + "** ❌"
			}
			fmt.Fprintf(b, " %s |", cell)
		}
		if withSource {
			cell := ""
			if r.source != "" {
				cell = markdownCode(shorten(r.source, nameLimit))
			}
			fmt.Fprintf(b, " %s |", cell)
		}
		fmt.Fprintln(b)
	}
	if s.left > 0 {
		fmt.Fprintf(b, "\n%s left out.\n", plural(s.left, "kernel"))
	}
}

// shorten cuts the middle out of a long name: both ends tell it from others.
func shorten(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	half := (limit - 1) / 2
	return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
}

// markdownCode shows s in code type. A code span can't hold a back quote or
// the | of a table; entities in an element can.
func markdownCode(s string) string {
	if s != "" && strings.TrimSpace(s) == s && !strings.ContainsAny(s, "`|\n") {
		return "`" + s + "`"
	}
	return "<code>" + markdownText(s) + "</code>"
}

// markdownText writes what Markdown or HTML could read as markup as entities,
// which neither does.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("&<>\"'`|*_[]()\\~$@#!:^", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
