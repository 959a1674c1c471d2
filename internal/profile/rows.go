package profile

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// readTable reads the CSV of Nsight Compute: the details page, --metrics, the
// summary for each kernel, and the raw page. l stands before the header or
// before what a live run prints first.
func readTable(l *lines, r *Report, sink Sink) error {
	t := &tableReader{lines: l, drafter: newDrafter(r, sink), seen: map[string]bool{}}
	for l.next() {
		if isHeader(l.text) && !l.cut {
			if err := t.header(); err != nil {
				return err
			}
			continue
		}
		if err := t.line(); err != nil {
			return err
		}
	}
	if err := l.failed(); err != nil {
		return err
	}
	if err := t.finish(); err != nil {
		return err
	}
	return t.nothing()
}

// tableReader is the state of readTable.
type tableReader struct {
	*drafter
	lines   *lines
	in      bool // a header was seen
	columns columns
	raw     []target          // of a raw table, by column
	counted []bool            // of a raw table: the column is a metric
	device  int               // column of a raw table with the device's name; -1 without
	units   []string          // of a raw table, by column
	targets map[string]target // of the others, by section and name
	key     string            // of the open launch
	seen    map[string]bool   // keys of launches that ended
	row     [][]byte
	said    string // the profiler's last error or warning of note
}

// header starts a table.
func (t *tableReader) header() error {
	if err := t.end(); err != nil {
		return err
	}
	row, ok := splitCSV(bytes.TrimPrefix(t.lines.text, []byte("\xef\xbb\xbf")), t.row[:0])
	if !ok {
		return &Error{Place{t.report.File, t.lines.n}, "the header is not CSV", "export it again: " + exportRaw}
	}
	t.row, t.in, t.key = row, true, ""
	t.columns = columnsOf(row)
	t.raw, t.units, t.targets = nil, nil, map[string]target{}
	c := &t.columns
	switch {
	case c.metric >= 0 && c.value >= 0:
		t.report.Form = FormDetails
	case c.metric >= 0 && c.average >= 0:
		t.report.Form = FormSummary
	case c.metric >= 0:
		return &Error{Place{t.report.File, t.lines.n}, "the table has neither \"Metric Value\" nor \"Average\": without one there is nothing to judge by",
			"export it again: " + exportRaw}
	default:
		t.report.Form = FormRaw
		t.device = -1
		t.raw, t.counted = make([]target, len(row)), make([]bool, len(row))
		for i, cell := range row {
			metric := string(bytes.TrimSpace(cell))
			t.raw[i] = targetOf(metric)
			// Versions and addresses stand in the other columns: 127.0.0.1.
			t.counted[i] = strings.Contains(metric, "__")
			if metric == deviceName {
				t.device = i
			}
		}
	}
	return nil
}

// line takes one line that is no header.
func (t *tableReader) line() error {
	text := t.lines.text
	if t.note(text) || !t.in {
		return nil
	}
	if t.lines.cut {
		t.report.problem(t.lines.n, "the line is longer than "+strconv.Itoa(mostLine>>20)+" MiB and is left out")
		return nil
	}
	row, ok := splitCSV(text, t.row[:0])
	t.row = row
	if !ok || !t.isRow(row) {
		// The program's own output stands between rows of a live run.
		if bytes.HasPrefix(text, []byte(`"`)) {
			t.report.problem(t.lines.n, "not a row of the table: "+strconv.Quote(name.Brief(string(text[:min(len(text), 200)]), 60)))
		}
		return nil
	}
	if t.raw != nil {
		return t.rawRow(row)
	}
	return t.metricRow(row)
}

// isRow reports that the row can be one of the table's: the number columns
// have numbers.
func (t *tableReader) isRow(row [][]byte) bool {
	c := &t.columns
	if t.raw != nil && t.units == nil && len(cell(row, c.id)) == 0 && len(row) == c.count {
		return true // the line of units
	}
	if c.id >= 0 && !allDigits(string(cell(row, c.id))) {
		return false
	}
	return len(row) > c.kernel && len(row) <= c.count && (c.id >= 0 || allDigits(string(cell(row, c.process))))
}

// rawRow takes a row of the raw page: its units, or a launch.
func (t *tableReader) rawRow(row [][]byte) error {
	if t.units == nil {
		t.units = make([]string, len(t.raw))
		if len(cell(row, t.columns.id)) == 0 {
			for i := range t.units {
				t.units[i] = string(cell(row, i))
			}
			return nil
		}
	}
	if len(row) != t.columns.count {
		t.report.problem(t.lines.n, "the row has "+strconv.Itoa(len(row))+" cells and the header "+strconv.Itoa(t.columns.count))
	}
	t.begin(row)
	t.draft.launch.Device = cutName(t.names.of(cell(row, t.device)))
	for i, cell := range row {
		if i >= len(t.raw) || !t.counted[i] {
			continue
		}
		t.seps.look(string(cell), t.lines.n)
		if to := &t.raw[i]; to.use {
			t.add(to, []byte(t.units[i]), cell, t.lines.n)
		}
	}
	return t.end()
}

// begin opens a launch.
func (t *tableReader) begin(row [][]byte) {
	t.open = true
	t.columns.about(row, &t.draft.launch, t.names)
	t.draft.launch.Place = Place{t.report.File, t.lines.n}
}

// metricRow takes a row that has one metric of a launch, or a rule's text.
func (t *tableReader) metricRow(row [][]byte) error {
	c := &t.columns
	metric := cell(row, c.metric)
	key := t.keyOf(row)
	if !t.open || key != t.key {
		if err := t.end(); err != nil {
			return err
		}
		if t.seen[key] && len(metric) > 0 {
			t.report.problem(t.lines.n, "the rows of one launch don't stand together: is the table sorted? They are judged as two")
		}
		if len(t.seen) < mostInterned {
			t.seen[key] = true
		}
		t.key = key
		t.begin(row)
		if n, err := strconv.ParseInt(strings.NewReplacer(",", "", ".", "").Replace(string(cell(row, c.invocations))), 10, 64); err == nil && n > 0 {
			t.draft.launch.Merged = n
		}
	}
	if len(metric) == 0 {
		return nil // a rule
	}
	value := cell(row, c.value)
	if t.report.Form == FormSummary {
		value = cell(row, c.average)
	}
	t.seps.look(string(value), t.lines.n)
	to := t.target(cell(row, c.section), metric)
	switch {
	case !to.use:
	case shapeWords[to.metric] != "" && to.stall == "" && !bytes.Equal(cell(row, c.least), cell(row, c.most)):
		t.addDiffering(&to, cell(row, c.unit), value, t.lines.n)
	default:
		t.add(&to, cell(row, c.unit), value, t.lines.n)
	}
	return nil
}

// target finds what a metric of a section is. --metrics writes names where the
// sections write labels.
func (t *tableReader) target(section, metric []byte) target {
	key := string(section) + "\x00" + string(metric)
	to, ok := t.targets[key]
	if ok {
		return to
	}
	to = targetOf(string(metric))
	if to.use && t.report.Form == FormDetails {
		t.report.Form = FormMetrics
	}
	if !to.use {
		to = targetOfLabel(string(section), string(metric))
	}
	if len(t.targets) < mostInterned {
		t.targets[key] = to
	}
	return to
}

// keyOf tells the launches of a table apart. A summary has no IDs.
func (t *tableReader) keyOf(row [][]byte) string {
	c := &t.columns
	if c.id >= 0 {
		return string(cell(row, c.process)) + " " + string(cell(row, c.id))
	}
	return string(bytes.Join([][]byte{cell(row, c.process), cell(row, c.kernel), cell(row, c.block), cell(row, c.grid), cell(row, c.device)}, []byte{0}))
}
