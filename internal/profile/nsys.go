package profile

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// isNsysHeader reports the header of Nsight Systems' list of GPU activities.
func isNsysHeader(line []byte) bool {
	return bytes.Contains(line, []byte("GrdX")) && bytes.Contains(line, []byte("BlkX")) && bytes.Contains(line, []byte("Duration"))
}

// readNsys reads `nsys stats -r cuda_gpu_trace -f csv`: time, registers and
// geometry of each launch. Shared memory is printed in MB with three decimals,
// which is a thousand bytes or two off, so nothing is made of it but 0.
func readNsys(l *lines, r *Report, sink Sink) error {
	r.Form = FormNsys
	var t *nsysTable
	var row [][]byte
	names := interned{}
	for l.next() {
		if isNsysHeader(l.text) {
			cells, ok := splitCSV(l.text, nil)
			if !ok {
				return &Error{Place{r.File, l.n}, "the header is not CSV", "export it again: nsys stats -r cuda_gpu_trace:mangled -f csv REPORT.nsys-rep"}
			}
			t = nsysTableOf(cells)
			continue
		}
		if t == nil || len(l.text) == 0 {
			continue
		}
		var ok bool
		row, ok = splitCSV(l.text, row[:0])
		if !ok || len(row) != t.count {
			r.problem(l.n, "not a row of the table")
			continue
		}
		launch, is, err := t.launch(row, names)
		if err != nil {
			r.problem(l.n, err.Error())
			continue
		}
		if !is {
			continue // a copy
		}
		launch.Place = Place{r.File, l.n}
		r.Launches++
		if err := sink(&launch); err != nil {
			return err
		}
	}
	if err := l.failed(); err != nil {
		return err
	}
	if r.Launches == 0 {
		return &Error{Place{r.File, 0}, "the table has no launch", "record with: nsys profile -t cuda CMD"}
	}
	return nil
}

// nsysTable says where the columns are and what their units are worth.
type nsysTable struct {
	name, registers, static, dynamic, duration, device int
	grid, block                                        [3]int
	nanos                                              float64
	count                                              int
}

func nsysTableOf(header [][]byte) *nsysTable {
	t := &nsysTable{name: -1, registers: -1, static: -1, dynamic: -1, duration: -1, device: -1, nanos: 1, count: len(header)}
	t.grid, t.block = [3]int{-1, -1, -1}, [3]int{-1, -1, -1}
	for i, cell := range header {
		title, unit, _ := strings.Cut(strings.TrimSpace(string(cell)), " (")
		switch title {
		case "Name":
			t.name = i
		case "Reg/Trd":
			t.registers = i
		case "StcSMem":
			t.static = i
		case "DymSMem":
			t.dynamic = i
		case "Device":
			t.device = i
		case "Duration":
			t.duration = i
			if f, ok := ofTime.factor(strings.TrimSuffix(unit, ")")); ok {
				t.nanos = f
			}
		default:
			if at := strings.Index("XYZ", title[max(0, len(title)-1):]); at >= 0 && len(title) == 4 {
				switch title[:3] {
				case "Grd":
					t.grid[at] = i
				case "Blk":
					t.block[at] = i
				}
			}
		}
	}
	return t
}

// launch reads a row; the second result is false for one that is no kernel.
func (t *nsysTable) launch(row [][]byte, names interned) (l Launch, is bool, err error) {
	if len(cell(row, t.block[0])) == 0 {
		return l, false, nil
	}
	l.Merged = 1
	l.Names = namesOf(cutName(names.of(cell(row, t.name))))
	device, _, _ := strings.Cut(string(cell(row, t.device)), " (")
	l.Device = device
	for i := range 3 {
		if l.Grid[i], err = strconv.ParseInt(string(cell(row, t.grid[i])), 10, 64); err != nil {
			return l, false, fmt.Errorf("the grid is not a number: %q", cell(row, t.grid[i]))
		}
		if l.Block[i], err = strconv.ParseInt(string(cell(row, t.block[i])), 10, 64); err != nil {
			return l, false, fmt.Errorf("the block is not a number: %q", cell(row, t.block[i]))
		}
	}
	duration, err := strconv.ParseFloat(string(cell(row, t.duration)), 64)
	if err != nil || duration < 0 {
		return l, false, fmt.Errorf("the duration is not a number: %q", cell(row, t.duration))
	}
	l.Values.Set(DurationNanos, duration*t.nanos)
	if n, err := strconv.ParseFloat(string(cell(row, t.registers)), 64); err == nil && n > 0 {
		l.Values.Set(RegistersPerThread, n)
	}
	// "0.000" is below 500 bytes; anything else is known to a thousand.
	if x, err := strconv.ParseFloat(string(cell(row, t.dynamic)), 64); err == nil && x == 0 {
		l.Values.Set(DynamicSharedBytes, 0)
	}
	return l, true, nil
}
