package table

import (
	"strconv"

	"github.com/occlint/occlint/internal/term"
)

// distinct shortens the cells of a flexible column to its width so that cells
// that differ still do: names that are alike at both ends get numbers, in the
// order of the rows. The result has what stands for each cell that is cut.
func (t *Table) distinct(column int, style *term.Style, columns int) map[string]string {
	fitted := map[string]string{}
	var order []string
	first := map[string]string{} // what is shown, and the cell that it is shown for
	alike := map[string]bool{}
	for _, row := range t.Rows {
		cell := style.Text(row[column])
		if fitted[cell] != "" {
			continue
		}
		short := style.Fit(cell, columns)
		fitted[cell] = short
		order = append(order, cell)
		if other, taken := first[short]; taken && other != cell {
			alike[short] = true
		}
		first[short] = cell
	}
	numbers := map[string]int{}
	for _, cell := range order {
		short := fitted[cell]
		if !alike[short] {
			continue
		}
		for taken := true; taken; _, taken = first[fitted[cell]] {
			numbers[short]++
			mark := " #" + strconv.Itoa(numbers[short])
			fitted[cell] = style.Fit(cell, columns-len(mark)) + mark
		}
		first[fitted[cell]] = cell
	}
	return fitted
}
