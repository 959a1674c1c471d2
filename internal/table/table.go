// Package table lays out small tables. In go cells as text; out come aligned
// columns for people, or CSV with the same cells.
package table

import (
	"bufio"
	"encoding/csv"
	"io"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/term"
)

// Table is a small table for people and for spreadsheets: the same cells in
// every format.
type Table struct {
	Columns []Column
	Rows    [][]string // cells are safe to print on a terminal; each row as long as Columns
}

// Column is one column's heading and alignment.
type Column struct {
	Title string // for people
	Key   string // for csv: stable, with its unit
	Right bool   // numbers stand to the right
	Flex  bool   // may be shortened when the terminal is too narrow
}

// WriteText writes the table with aligned columns.
func (t *Table) WriteText(w io.Writer, style *term.Style) error {
	out := bufio.NewWriter(name.LineWriter(w))
	if err := t.text(out, style); err != nil {
		return err // Flush has the same
	}
	return out.Flush()
}

// WriteCSV writes the table for spreadsheets.
func (t *Table) WriteCSV(w io.Writer) error {
	out := bufio.NewWriter(name.LineWriter(w))
	if err := t.csv(out); err != nil {
		return err
	}
	return out.Flush()
}

// Gap separates columns.
const Gap = "  "

// text writes the table with aligned columns. Where the terminal is too narrow
// the flexible column gives way, down to a width that still tells names apart.
func (t *Table) text(w *bufio.Writer, style *term.Style) error {
	widths := t.widths(style)
	for i, c := range t.Columns {
		if c.Flex {
			widths[i] = min(widths[i], mostFlex)
		}
	}
	if style.Width > 0 {
		t.shrink(widths, style.Width)
	}
	titles := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		titles[i] = c.Title
	}
	if err := t.line(w, style, titles, widths, style.Strong); err != nil {
		return err
	}
	short := make([]map[string]string, len(t.Columns))
	for i, c := range t.Columns {
		if c.Flex {
			short[i] = t.distinct(i, style, widths[i])
		}
	}
	shown := make([]string, len(t.Columns))
	for _, row := range t.Rows {
		for i, cell := range row {
			shown[i] = cell
			if s := short[i][style.Text(cell)]; s != "" {
				shown[i] = s
			}
		}
		if err := t.line(w, style, shown, widths, nil); err != nil {
			return err
		}
	}
	return nil
}

func (t *Table) widths(style *term.Style) []int {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = term.Width(c.Title)
		for _, row := range t.Rows {
			widths[i] = max(widths[i], term.Width(style.Text(row[i])))
		}
	}
	return widths
}

// leastFlex and mostFlex bound a flexible column: narrower tells no names
// apart, and one name of 2,000 signs would push the numbers out of sight. The
// csv and json forms have each name whole.
const (
	leastFlex = 12
	mostFlex  = 100
)

// Fits tells whether the names keep a readable width on the terminal.
func (t *Table) Fits(style *term.Style) bool {
	const readable = 28
	total := len(Gap) * (len(t.Columns) - 1)
	for i, w := range t.widths(style) {
		if t.Columns[i].Flex {
			w = min(w, readable)
		}
		total += w
	}
	return total <= style.Width
}

func (t *Table) shrink(widths []int, columns int) {
	total := len(Gap) * (len(widths) - 1)
	for _, w := range widths {
		total += w
	}
	for i, c := range t.Columns {
		if c.Flex && total > columns {
			narrow := max(leastFlex, widths[i]-(total-columns))
			if narrow < widths[i] {
				total -= widths[i] - narrow
				widths[i] = narrow
			}
		}
	}
}

func (t *Table) line(w *bufio.Writer, style *term.Style, cells []string, widths []int, look func(string) string) error {
	var b strings.Builder
	for i, cell := range cells {
		cell = style.Fit(style.Text(cell), widths[i])
		if i > 0 {
			b.WriteString(Gap)
		}
		if t.Columns[i].Right {
			cell = term.PadLeft(cell, widths[i])
		} else if i < len(cells)-1 {
			cell = term.Pad(cell, widths[i])
		}
		b.WriteString(cell)
	}
	line := strings.TrimRight(b.String(), " ")
	if look != nil {
		line = look(line)
	}
	_, err := w.WriteString(line + "\n")
	return err
}

// csv writes the table for spreadsheets. A cell that a spreadsheet would take
// for a formula gets an apostrophe before it.
func (t *Table) csv(w *bufio.Writer) error {
	out := csv.NewWriter(w)
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = c.Key
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, row := range t.Rows {
		for i, cell := range row {
			record[i] = inertCell(cell)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func inertCell(cell string) string {
	if cell == "" || cell == absent {
		return cell
	}
	if strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
		return "'" + cell
	}
	return cell
}

// absent marks a number that is not known.
const absent = "-"
