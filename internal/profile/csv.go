package profile

import "bytes"

// mostCells is above every table that a profiler writes.
const mostCells = 1 << 16

// splitCSV splits a line into cells, which it appends to cells; they are valid
// as long as line and scratch are. ok is false for a line that isn't CSV: a
// quote that is open at its end, or text behind a closing one. The profiler
// writes each row on one line, so a cell with a line break in it is a fault.
func splitCSV(line []byte, cells [][]byte) (out [][]byte, ok bool) {
	for at := 0; ; {
		if len(cells) >= mostCells {
			return cells, false
		}
		if at >= len(line) || line[at] != '"' {
			end := bytes.IndexByte(line[at:], ',')
			if end < 0 {
				return append(cells, line[at:]), true
			}
			cells = append(cells, line[at:at+end])
			at += end + 1
			continue
		}
		cell, next, closed := quotedCell(line, at+1)
		if !closed {
			return cells, false
		}
		cells = append(cells, cell)
		if next == len(line) {
			return cells, true
		}
		if line[next] != ',' {
			return cells, false
		}
		at = next + 1
	}
}

// quotedCell reads a cell whose quote stands before at. next is behind the
// closing quote.
func quotedCell(line []byte, at int) (cell []byte, next int, closed bool) {
	end := bytes.IndexByte(line[at:], '"')
	if end < 0 {
		return nil, 0, false
	}
	end += at
	if end+1 >= len(line) || line[end+1] != '"' {
		return line[at:end], end + 1, true
	}
	// A doubled quote: the cell has to be written anew.
	for i := at; i < len(line); i++ {
		if line[i] != '"' {
			cell = append(cell, line[i])
			continue
		}
		if i+1 >= len(line) || line[i+1] != '"' {
			return cell, i + 1, true
		}
		cell = append(cell, '"')
		i++
	}
	return nil, 0, false
}
