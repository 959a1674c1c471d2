package profile

import (
	"bytes"
	"strconv"
	"strings"
)

// columns says where the columns of one of Nsight Compute's tables are, which
// versions and options move; -1 where the table doesn't have one.
type columns struct {
	id, process, kernel, block, grid, device, cc int
	section, metric, unit, value                 int // of a table with a row for each metric
	average, invocations, least, most            int // of a summary
	count                                        int
}

func columnsOf(header [][]byte) columns {
	c := columns{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, len(header)}
	names := map[string]*int{
		"ID": &c.id, "Process ID": &c.process, "Kernel Name": &c.kernel, "Block Size": &c.block, "Grid Size": &c.grid,
		"Device": &c.device, "CC": &c.cc, "Section Name": &c.section, "Metric Name": &c.metric, "Metric Unit": &c.unit,
		"Metric Value": &c.value, "Average": &c.average, "Invocations": &c.invocations, "Minimum": &c.least, "Maximum": &c.most,
	}
	for i, cell := range header {
		if at := names[string(bytes.TrimSpace(cell))]; at != nil && *at < 0 {
			*at = i
		}
	}
	return c
}

// isHeader reports that a line is the first of one of the tables. The
// program's own output stands before it and may have quotes and commas in it.
func isHeader(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	if !bytes.HasPrefix(line, []byte(`"ID"`)) && !bytes.HasPrefix(line, []byte(`ID,`)) &&
		!bytes.HasPrefix(line, []byte(`"Process ID"`)) && !bytes.HasPrefix(line, []byte(`Process ID,`)) {
		return false
	}
	return bytes.Contains(line, []byte("Kernel Name"))
}

// cell is the cell of a column, trimmed; empty where the row is too short, as
// rows without a rule are.
func cell(row [][]byte, column int) []byte {
	if column < 0 || column >= len(row) {
		return nil
	}
	return bytes.TrimSpace(row[column])
}

// about fills what the columns before the metrics say of a launch.
func (c *columns) about(row [][]byte, l *Launch, names interned) {
	l.ID = string(cell(row, c.id))
	l.Names = namesOf(cutName(names.of(cell(row, c.kernel))))
	l.Grid = dimOf(cell(row, c.grid))
	l.Block = dimOf(cell(row, c.block))
	l.Arch = archOf(string(cell(row, c.cc)))
	l.Merged = 1
}

// dimOf reads "(256, 1, 1)", "256,1,1" or "256x1x1".
func dimOf(b []byte) Dim {
	var d Dim
	n := 0
	for _, part := range bytes.FieldsFunc(b, func(r rune) bool { return r == ',' || r == 'x' || r == ' ' || r == '(' || r == ')' }) {
		x, err := strconv.ParseInt(string(part), 10, 64)
		if err != nil || x <= 0 || n == len(d) {
			return Dim{}
		}
		d[n] = x
		n++
	}
	if n == 0 {
		return Dim{}
	}
	for ; n < len(d); n++ {
		d[n] = 1
	}
	return d
}

// archOf turns "9.0" or "9,0" into "sm_90".
func archOf(cc string) string {
	major, minor, ok := strings.Cut(strings.Replace(cc, ",", ".", 1), ".")
	if !ok || !allDigits(major) || !allDigits(minor) || len(major) > 2 || len(minor) > 1 {
		return ""
	}
	return "sm_" + major + minor
}
