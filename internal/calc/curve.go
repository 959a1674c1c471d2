package calc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/term"
)

const (
	curveRows    = 10 // one for each 10 %
	curveColumns = 64
)

// Draw draws the sweep as a step curve, today's point marked. With a style
// that has Unicode, cells are filled in eighths.
func (s *Sweep) Draw(style *term.Style) []string {
	most := s.Most()
	columns := curveColumns
	if style.Width > 0 {
		columns = max(16, min(columns, style.Width-8))
	}
	if s.Of == arch.Warps && columns >= len(s.Points) { // as many columns for each warp
		columns = columns / len(s.Points) * len(s.Points)
	}
	values := make([]float64, columns)
	now := -1
	for c := range values {
		// A column stands for the values up to its right edge.
		left, right := c*most/columns, (c+1)*most/columns
		if p := s.At(right); p != nil {
			values[c] = p.Percent()
		}
		if s.Now > left && s.Now <= right || s.Now == 0 && c == 0 && s.Of == arch.Shared {
			now = c
			if p := s.At(s.Now); p != nil {
				values[c] = p.Percent() // exact where it matters
			}
		}
	}
	lines := make([]string, 0, curveRows+3)
	for row := curveRows; row > 0; row-- {
		label := ""
		if row%2 == 0 {
			label = strconv.Itoa(row*100/curveRows) + " %"
		}
		lines = append(lines, fmt.Sprintf("%6s |", label)+drawRow(style, values, row, now))
	}
	lines = append(lines, fmt.Sprintf("%6s +", "0 %")+strings.Repeat("-", columns))
	return append(lines, s.axis(columns, now)...)
}

// drawRow fills the cells of one row: row is counted from 1 at the bottom.
func drawRow(style *term.Style, values []float64, row, now int) string {
	var b strings.Builder
	for c, v := range values {
		eighths := int(v*curveRows*8/100+0.5) - (row-1)*8
		cell := cellOf(style, max(0, min(eighths, 8)), c == now)
		b.WriteString(cell)
	}
	return strings.TrimRight(b.String(), " ")
}

// cellOf is the sign of a cell that is filled by so many eighths. Today's
// column differs in its sign too, not in its colour alone.
func cellOf(style *term.Style, eighths int, now bool) string {
	if !style.Unicode {
		switch {
		case eighths < 2:
			return " "
		case eighths < 6 && now:
			return "o"
		case eighths < 6:
			return "."
		case now:
			return "@"
		}
		return "#"
	}
	sign := string([]rune(" ▁▂▃▄▅▆▇█")[eighths])
	if now && eighths > 0 {
		if !style.Color && eighths == 8 {
			sign = "▒"
		}
		return style.Good(sign)
	}
	return sign
}

// axis is the line with the ends of the sweep and the mark below today's
// column.
func (s *Sweep) axis(columns, now int) []string {
	first, last := "1", strconv.Itoa(s.Most())
	if s.Of == arch.Shared {
		first = "0"
	}
	ends := "        " + first + strings.Repeat(" ", max(1, columns-len(first)-len(last))) + last
	if now < 0 {
		return []string{ends}
	}
	p := s.At(s.Now)
	mark := fmt.Sprintf("^ now: %d, %s %%", s.Now, percent(p.Percent()))
	pad := 8 + now
	if pad+len(mark) > 8+columns && now > len(mark) {
		mark = fmt.Sprintf("now: %d, %s %% ^", s.Now, percent(p.Percent()))
		pad -= len(mark) - 1
	}
	return []string{ends, strings.Repeat(" ", pad) + mark}
}
