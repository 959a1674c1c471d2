package tune

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
	"github.com/occlint/occlint/internal/term"
)

// mostNameRunes bounds a kernel's name in a heading.
const mostNameRunes = 200

// WriteText writes tables, sentences and curves for people. ascii draws the
// curves with plain signs.
func (r *Result) WriteText(w io.Writer, style *term.Style, ascii bool) error {
	out := bufio.NewWriter(name.LineWriter(w))
	for i := range r.Tables {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := r.Tables[i].text(out, style, ascii); err != nil {
			return err
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintln(out, style.Text("note: "+n))
	}
	return out.Flush()
}

func (t *Table) text(out *bufio.Writer, style *term.Style, ascii bool) error {
	fmt.Fprintln(out, style.Strong(style.Text(name.Brief(name.Qualified(t.Name), mostNameRunes)+" on "+t.Arch)))
	fmt.Fprintln(out, style.Text(t.launchWords()))
	fmt.Fprintln(out)
	if err := t.cells().WriteText(out, style); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, s := range t.allSentences() {
		fmt.Fprintln(out, style.Text(s))
	}
	for i := range t.Rows {
		if r := &t.Rows[i]; r.Error != "" {
			fmt.Fprintln(out, style.Text(fmt.Sprintf("%s was refused: %s", r.Title(), r.Error)))
		} else if r.TimeError != "" {
			fmt.Fprintln(out, style.Text(fmt.Sprintf("%s has no time: %s", r.Title(), name.Escape(r.TimeError))))
		}
	}
	for _, n := range t.Notes {
		fmt.Fprintln(out, style.Text("note: "+n))
	}
	fmt.Fprintln(out)
	for _, line := range t.curve(style, ascii) {
		fmt.Fprintln(out, line)
	}
	return nil
}

// launchWords say what the occupancy was computed for.
func (t *Table) launchWords() string {
	sizes := make([]string, len(t.Launch.Threads))
	for i, n := range t.Launch.Threads {
		sizes[i] = strconv.Itoa(n)
	}
	from := t.Launch.From
	if from == "" {
		from = "its own bounds"
	}
	words := fmt.Sprintf("%s threads per block (%s), %d bytes of static", strings.Join(sizes, ", "), from, max(0, t.Rows[0].SharedBytes))
	switch {
	case !t.Launch.DynamicKnown:
		words += " shared memory; dynamic shared memory is not declared and counted as 0"
	default:
		words += fmt.Sprintf(" and %d bytes of dynamic shared memory", t.Launch.DynamicBytes)
	}
	return words
}

// allSentences are those of the frontier, and what the times say.
func (t *Table) allSentences() []string {
	said := t.Sentences()
	if t.Verdict != nil {
		said = append(said, t.Verdict.Sentence)
	}
	return said
}

// cells is the table for people: a line for each distinct code.
func (t *Table) cells() *table.Table {
	c := &table.Table{Columns: []table.Column{
		{}, {Title: "bounds"}, {Title: "cap", Right: true}, {Title: "registers", Right: true}, {Title: "stack", Right: true},
		{Title: "spill stores", Right: true}, {Title: "loads", Right: true}, {Title: "blocks", Right: true}, {Title: "occupancy", Right: true},
		{Title: "limited by"},
	}}
	looped := t.loopsKnown()
	if looped {
		c.Columns = slices.Insert(c.Columns, loopColumn, table.Column{Title: "in loops", Right: true})
	}
	timed := t.Verdict != nil
	if timed {
		c.Columns = append(c.Columns, table.Column{Title: "time", Right: true})
	}
	c.Columns = append(c.Columns, table.Column{Title: "same code", Flex: true})
	for i := range t.Rows {
		r := &t.Rows[i]
		if r.SameAs >= 0 {
			continue
		}
		mark := ""
		if r.Frontier {
			mark = "*"
		}
		row := []string{mark, r.Title(), strconv.Itoa(r.Cap)}
		if !r.Measured() {
			row = append(row, "-", "-", "-", "-", "-", "-", "refused")
		} else {
			row = append(row, strconv.Itoa(r.Registers), number(r.StackBytes), strconv.Itoa(r.SpillStoreBytes), strconv.Itoa(r.SpillLoadBytes),
				strconv.Itoa(r.Blocks), percent(r.Percent()), r.limiters())
		}
		if looped {
			cell := "-"
			if r.Measured() {
				cell = number(r.LoopSpillBytes)
			}
			row = slices.Insert(row, loopColumn, cell)
		}
		if timed {
			row = append(row, r.timeCell())
		}
		c.Rows = append(c.Rows, append(row, strings.Join(t.twins(i), ", ")))
	}
	return c
}

// loopColumn is where the bytes of spills in loops stand, behind all of them.
const loopColumn = 7

// loopsKnown reports whether the code of any row that spills told of loops.
func (t *Table) loopsKnown() bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return r.loops() != "" })
}

func (r *Row) timeCell() string {
	if r.Time == nil {
		return ""
	}
	return r.Time.String()
}

// twins are the later rows with the code of row i.
func (t *Table) twins(i int) []string {
	var list []string
	for k := range t.Rows {
		if t.Rows[k].SameAs == i {
			list = append(list, t.Rows[k].Title())
		}
	}
	return list
}

// curve draws the occupancy over registers, today's point marked.
func (t *Table) curve(style *term.Style, ascii bool) []string {
	today := &t.Rows[0]
	s := calc.NewSweep(t.SM, t.launchOf(today), arch.Registers)
	drawn := *style
	drawn.Unicode = style.Unicode && !ascii
	return append([]string{fmt.Sprintf("occupancy by registers per thread, %d threads per block", today.Threads)}, s.Draw(&drawn)...)
}

// launchOf is what a row asks of an SM.
func (t *Table) launchOf(r *Row) arch.Launch {
	return arch.Launch{
		Threads: r.Threads, Registers: r.Registers, Barriers: r.Barriers,
		SharedBytes: max(0, r.SharedBytes) + t.Launch.DynamicBytes,
	}
}

func number(n int) string {
	if n < 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func percent(p float64) string {
	return strconv.FormatFloat(math.Round(p*10)/10, 'f', -1, 64) + " %"
}
