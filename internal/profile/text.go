package profile

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// readText reads what Nsight Compute prints on a terminal, the details page or
// the raw page:
//
//	[504] prof@127.0.0.1
//	  void stream_sum<1>(const float *, float *, int) (2112, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0
//	    Section: GPU Speed Of Light Throughput
//	    ----------------------- ----------- ------------
//	    Metric Name             Metric Unit Metric Value
//	    ----------------------- ----------- ------------
//	    DRAM Frequency                  Ghz         3.20
//
// The dashes say where the columns are.
func readText(l *lines, r *Report, sink Sink) error {
	r.Form = FormDetails
	t := &textReader{drafter: newDrafter(r, sink), targets: map[string]target{}}
	said := ""
	for l.next() {
		if s, ok := toolLine(l.text); ok {
			if s != "" {
				said = s
			}
			continue
		}
		if l.cut {
			continue
		}
		if err := t.line(l.text, l.n); err != nil {
			return err
		}
	}
	if err := l.failed(); err != nil {
		return err
	}
	if err := t.finish(); err != nil {
		return err
	}
	if r.Launches == 0 {
		return emptyReport(r.File, false, said)
	}
	return nil
}

// textReader is the state of readText.
type textReader struct {
	*drafter
	section string
	titled  bool  // the last line had the columns' titles
	columns []int // where each column of the open table starts; nil outside of one
	targets map[string]target
	id      int
}

var (
	// A result's line: a name, a grid and a block, and what follows.
	textResult = regexp.MustCompile(`^\s{2,}(\S.*?) \((\d+), (\d+), (\d+)\)x\((\d+), (\d+), (\d+)\)(?:, .*)?$`)
	// Before 2022 the geometry stood among the launch's statistics.
	textOldResult = regexp.MustCompile(`^\s{2,}(\S.*?), (?:\d{4}-\w{3}-\d{2} [\d:]+, )?Context \d+, Stream \d+\s*$`)
	textCC        = regexp.MustCompile(`, CC (\d+[.,]\d)\b`)
)

// mostTextLine is above every line of these pages but a rule's advice.
const mostTextLine = 4096

func (t *textReader) line(b []byte, n int) error {
	if len(b) > mostTextLine {
		return nil
	}
	text := string(b)
	trimmed := strings.TrimSpace(text)
	switch {
	case trimmed == "":
		return nil
	case strings.HasPrefix(trimmed, "Section: "):
		t.section, t.columns = strings.TrimPrefix(trimmed, "Section: "), nil
		return nil
	case strings.HasPrefix(trimmed, "Metric Name"):
		t.titled = true
		return nil
	case isDashes(trimmed) && strings.Contains(trimmed, " "):
		t.dashes(text)
		return nil
	case strings.HasPrefix(text, "  ") && !strings.HasPrefix(text, "    "):
		if ok, err := t.result(text, n); ok || err != nil {
			return err
		}
	}
	if t.open && len(t.columns) == 3 {
		t.metric(text, n)
	}
	return nil
}

// dashes opens a table when they stand below the titles. Above them and at a
// table's end they say nothing.
func (t *textReader) dashes(text string) {
	t.columns = t.columns[:0]
	if !t.titled {
		return
	}
	t.titled = false
	for i := range len(text) {
		if text[i] == '-' && (i == 0 || text[i-1] != '-') {
			t.columns = append(t.columns, i)
		}
	}
}

// result opens a launch.
func (t *textReader) result(text string, n int) (bool, error) {
	m := textResult.FindStringSubmatch(text)
	old := m == nil
	if old {
		if m = textOldResult.FindStringSubmatch(text); m == nil {
			return false, nil
		}
	}
	if err := t.end(); err != nil {
		return true, err
	}
	t.open = true
	t.section, t.titled, t.columns = "", false, nil
	l := &t.draft.launch
	l.Merged = 1
	l.ID = strconv.Itoa(t.id)
	t.id++
	l.Names = namesOf(m[1])
	l.Place = Place{t.report.File, n}
	if !old {
		l.Grid = dimOf([]byte(strings.Join(m[2:5], ",")))
		l.Block = dimOf([]byte(strings.Join(m[5:8], ",")))
	}
	if cc := textCC.FindStringSubmatch(text); cc != nil {
		l.Arch = archOf(cc[1])
	}
	return true, nil
}

// metric reads a row by where the dashes are: the unit is in the second
// column's last words, so each cell ends where the next one's dashes begin.
func (t *textReader) metric(text string, n int) {
	if len(text) <= t.columns[2] {
		return
	}
	label := strings.TrimSpace(text[t.columns[0]:t.columns[1]])
	unit := strings.TrimSpace(text[t.columns[1]:t.columns[2]])
	value := strings.TrimSpace(text[t.columns[2]:])
	if label == "" || label == "Metric Name" {
		return
	}
	t.seps.look(value, n)
	key := t.section + "\x00" + label
	to, ok := t.targets[key]
	if !ok {
		if to = targetOf(label); !to.use {
			to = targetOfLabel(t.section, label)
		}
		if len(t.targets) < mostInterned {
			t.targets[key] = to
		}
	}
	if to.use {
		t.add(&to, []byte(unit), []byte(value), n)
	}
}

func isDashes(s string) bool { return strings.Trim(s, "- ") == "" && strings.Contains(s, "--") }

// isTextResult reports a line that opens a launch in the terminal's pages.
func isTextResult(line []byte) bool {
	return bytes.HasPrefix(line, []byte("  ")) && len(line) <= mostTextLine && (textResult.Match(line) || textOldResult.Match(line))
}
