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
		rows, quiet := k.tree()
		t.tree(k, rows)
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

func (t *textWriter) tree(k *Kernel, rows []row) {
	arrays := k.ArrayBytes() > 0
	tab := &table.Table{Columns: []table.Column{{Title: "  bytes, once through the code", Flex: true}, {Title: "instructions", Right: true},
		{Title: "spill stores", Right: true}, {Title: "spill loads", Right: true}}}
	if arrays {
		tab.Columns = append(tab.Columns, table.Column{Title: "array stores", Right: true}, table.Column{Title: "array loads", Right: true})
	}
	for _, r := range rows {
		cells := []string{"  " + strings.Repeat("  ", r.indent) + r.label, strconv.Itoa(r.instructions), bytes(r.spillStores), bytes(r.spillLoads)}
		if arrays {
			cells = append(cells, bytes(r.arrayStores), bytes(r.arrayLoads))
		}
		tab.Rows = append(tab.Rows, cells)
	}
	t.table(tab)
}

func (t *textWriter) lines(lines []Line, kernels bool) {
	var arrays, others bool
	for i := range lines {
		arrays = arrays || lines[i].ArrayStoreBytes+lines[i].ArrayLoadBytes > 0
		others = others || lines[i].OtherStoreBytes+lines[i].OtherLoadBytes > 0
	}
	tab := &table.Table{Columns: []table.Column{{Title: "  line", Flex: true}, {Title: "loop depth", Right: true}}}
	add := func(title string) { tab.Columns = append(tab.Columns, table.Column{Title: title, Right: true}) }
	if kernels {
		add("kernels")
	}
	add("spill stores")
	add("spill loads")
	if arrays {
		add("array stores")
		add("array loads")
	}
	if others {
		add("local stores")
		add("local loads")
	}
	shown := lines
	if t.report.Top > 0 && len(shown) > t.report.Top {
		shown = shown[:t.report.Top]
	}
	for i := range shown {
		l := &shown[i]
		cells := []string{"  " + l.place(), l.depth()}
		if kernels {
			cells = append(cells, strconv.Itoa(l.Kernels))
		}
		cells = append(cells, bytes(l.SpillStoreBytes), bytes(l.SpillLoadBytes))
		if arrays {
			cells = append(cells, bytes(l.ArrayStoreBytes), bytes(l.ArrayLoadBytes))
		}
		if others {
			cells = append(cells, bytes(l.OtherStoreBytes), bytes(l.OtherLoadBytes))
		}
		tab.Rows = append(tab.Rows, cells)
	}
	t.table(tab)
	if n := len(lines) - len(shown); n > 0 {
		t.print(t.style.Faint("  " + plural(n, "more line") + "; --top 0 lists all"))
	}
}

func (l *Line) place() string {
	p := Place{File: l.File, Line: l.Line}
	if l.Inlined.Line > 0 {
		p.Inlined = []Place{l.Inlined}
	}
	return p.String()
}

// depth shows how many loops are around a line's worst access.
func (l *Line) depth() string {
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

// bytes shows a number of bytes; none is a dash, which is easier to look past.
func bytes(n int64) string {
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
