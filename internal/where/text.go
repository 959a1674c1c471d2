package where

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
	"github.com/occlint/occlint/internal/term"
)

// WriteText writes the report for a terminal.
func WriteText(w io.Writer, style *term.Style, r *Report) error {
	out := bufio.NewWriter(name.LineWriter(w))
	t := &textWriter{w: out, style: style, report: r}
	for i, k := range r.Kernels {
		if i > 0 {
			t.print("")
		}
		t.kernel(k)
	}
	if len(r.Kernels) > 1 && len(r.Lines) > 0 {
		t.print("")
		t.print(style.Strong("The worst lines of all kernels"))
		t.lines(r.Lines, true)
	}
	if r.Source != nil {
		t.listing()
	}
	t.ending()
	if t.err != nil {
		return t.err
	}
	return out.Flush()
}

type textWriter struct {
	w      *bufio.Writer
	style  *term.Style
	report *Report
	err    error
}

func (t *textWriter) print(text string) {
	if t.err == nil {
		_, t.err = t.w.WriteString(t.style.Text(text) + "\n")
	}
}

// wrapped prints text within the terminal's width.
func (t *textWriter) wrapped(indent, text string) {
	width := 0
	if t.style.Width > 0 {
		width = max(20, t.style.Width-len(indent))
	}
	if width == 0 {
		t.print(indent + text)
		return
	}
	for _, line := range term.Wrap(text, width) {
		t.print(indent + line)
	}
}

func (t *textWriter) kernel(k *Kernel) {
	t.wrapped("", t.style.Strong(k.label())+" ("+name.Escape(k.File)+")")
	t.wrapped("  ", k.Headline())
	if k.CalledDepth > 0 {
		t.wrapped("  ", fmt.Sprintf("it is called in a loop: %d around its deepest call", k.CalledDepth))
	}
	for _, n := range k.Notes {
		t.wrapped("  ", "note: "+n)
	}
	if len(k.Sites) == 0 {
		return
	}
	if k.Certainty != Unknown {
		rows, quiet := k.Tree()
		t.tree(rows)
		if quiet > 0 {
			t.print(t.style.Faint("  " + plural(quiet, "more loop") + " without local memory"))
		}
	}
	lines := Lines([]*Kernel{k})
	if len(lines) == 0 {
		t.wrapped("  ", "the binary has no line table for this code: nvcc -lineinfo would name the source lines")
		return
	}
	t.lines(lines, false)
}

// column is a column of bytes that a table has where any row has some.
type column[T any] struct {
	title string
	bytes func(*T) int64
}

// columns adds those that any row needs, and returns how to fill them.
func columns[T any](tab *table.Table, rows []T, all ...column[T]) []func(*T) int64 {
	var used []func(*T) int64
	for _, c := range all {
		for i := range rows {
			if c.bytes(&rows[i]) != 0 {
				tab.Columns = append(tab.Columns, table.Column{Title: c.title, Right: true})
				used = append(used, c.bytes)
				break
			}
		}
	}
	return used
}

func (t *textWriter) tree(rows []Row) {
	tab := &table.Table{Columns: []table.Column{{Title: "  bytes, once through the code", Flex: true}, {Title: "instructions", Right: true}}}
	used := columns(tab, rows,
		column[Row]{"spill stores", func(r *Row) int64 { return r.SpillStoreBytes }}, column[Row]{"spill loads", func(r *Row) int64 { return r.SpillLoadBytes }},
		column[Row]{"array stores", func(r *Row) int64 { return r.ArrayStoreBytes }}, column[Row]{"array loads", func(r *Row) int64 { return r.ArrayLoadBytes }})
	for i := range rows {
		r := &rows[i]
		cells := []string{"  " + strings.Repeat("  ", r.Indent) + r.Label, strconv.Itoa(r.Instructions)}
		for _, b := range used {
			cells = append(cells, shownBytes(b(r)))
		}
		tab.Rows = append(tab.Rows, cells)
	}
	t.table(tab)
}

func (t *textWriter) lines(lines []Line, kernels bool) {
	tab := &table.Table{Columns: []table.Column{{Title: "  line", Flex: true}, {Title: "loop depth", Right: true}}}
	if kernels {
		tab.Columns = append(tab.Columns, table.Column{Title: "kernels", Right: true})
	}
	shown := lines
	if t.report.Top > 0 && len(shown) > t.report.Top {
		shown = shown[:t.report.Top]
	}
	used := columns(tab, shown,
		column[Line]{"spill stores", func(l *Line) int64 { return l.SpillStoreBytes }}, column[Line]{"spill loads", func(l *Line) int64 { return l.SpillLoadBytes }},
		column[Line]{"array stores", func(l *Line) int64 { return l.ArrayStoreBytes }}, column[Line]{"array loads", func(l *Line) int64 { return l.ArrayLoadBytes }},
		column[Line]{"local stores", func(l *Line) int64 { return l.OtherStoreBytes }}, column[Line]{"local loads", func(l *Line) int64 { return l.OtherLoadBytes }})
	for i := range shown {
		l := &shown[i]
		cells := []string{"  " + l.Text(), l.DepthText()}
		if kernels {
			cells = append(cells, strconv.Itoa(l.Kernels))
		}
		for _, b := range used {
			cells = append(cells, shownBytes(b(l)))
		}
		tab.Rows = append(tab.Rows, cells)
	}
	t.table(tab)
	if n := len(lines) - len(shown); n > 0 {
		t.print(t.style.Faint("  " + plural(n, "more line") + "; --top 0 lists all"))
	}
}

// Text names the line, and where its code was inlined.
func (l *Line) Text() string {
	p := Place{File: l.File, Line: l.Line}
	if l.Inlined.Line > 0 {
		p.Inlined = []Place{l.Inlined}
	}
	return p.String()
}

// DepthText shows how many loops are around a line's worst access.
func (l *Line) DepthText() string {
	if !l.DepthKnown {
		return strconv.Itoa(l.Depth) + "+?"
	}
	return strconv.Itoa(l.Depth)
}

func (t *textWriter) table(tab *table.Table) {
	if t.err == nil {
		t.err = tab.WriteText(t.w, t.style)
	}
}

func (t *textWriter) ending() {
	r := t.report
	if len(r.Kernels) > 0 && (r.Left > 0 || r.Quiet > 0 || len(r.Notes) > 0) {
		t.print("")
	}
	if r.Left > 0 {
		t.print(plural(r.Left, "more kernel") + " with local memory; --top 0 shows all")
	}
	if r.Quiet > 0 {
		t.print(plural(r.Quiet, "kernel") + " without local memory")
	}
	for _, n := range r.Notes {
		t.wrapped("", "note: "+n)
	}
}

// shownBytes shows a number of bytes; none is a dash, which is easier to look past.
func shownBytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
