package compare

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/parse"
)

// headings of the sections in text and Markdown.
var headings = [statuses]string{
	Regressed: "Regressions",
	Worse:     "Worse, within the thresholds",
	Better:    "Better",
	Unknown:   "Unknown on one side",
	Added:     "Added",
	Removed:   "Removed",
}

// Headline is the outcome in one line.
func (d *Diff) Headline() string {
	n := d.Count(Regressed)
	switch {
	case d.Common() == 0:
		return "nothing compared: the two have no kernel in common"
	case n > 0:
		return plural(n, "regression") + " in " + d.compared()
	}
	return "no regression in " + d.compared()
}

// compared is how many kernels and functions both sides have.
func (d *Diff) compared() string {
	kernels, functions := 0, 0
	for i := range d.Pairs {
		switch p := &d.Pairs[i]; {
		case p.Status == Added || p.Status == Removed:
		case p.Kind == parse.Function:
			functions++
		default:
			kernels++
		}
	}
	switch {
	case functions == 0:
		return plural(kernels, "kernel")
	case kernels == 0:
		return plural(functions, "device function")
	}
	return plural(kernels, "kernel") + " and " + plural(functions, "device function")
}

// Counts says what else happened, "" when nothing did.
func (d *Diff) Counts() string {
	var parts []string
	for _, s := range []struct {
		status Status
		text   string
	}{
		{Worse, "worse within the thresholds"}, {Better, "better"}, {Unknown, "unknown on one side"},
		{Added, "added"}, {Removed, "removed"}, {Unchanged, "unchanged"},
	} {
		if n := d.Count(s.status); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s.text))
		}
	}
	return strings.Join(parts, ", ")
}

// ThresholdText says what counts as a regression: the thresholds as one list,
// as --threshold takes it, or that anything does.
func (d *Diff) ThresholdText() string {
	var asked, tolerated []string
	for _, t := range d.Thresholds {
		switch {
		case t.Asked:
			asked = append(asked, t.Text)
		case t.Over > 0:
			tolerated = append(tolerated, t.Text)
		}
	}
	switch {
	case len(asked) > 0:
		return strings.Join(asked, ",")
	case len(tolerated) > 0:
		return "anything worse, beyond " + strings.Join(tolerated, ",")
	}
	return "anything worse"
}

// Notes says what could not be compared.
func (d *Diff) Notes() []string {
	var notes []string
	for f := range fields {
		if n := d.OneSided[f]; n > 0 {
			notes = append(notes, fmt.Sprintf("%s: only one side states it for %s, so nothing is known of the change", f, plural(n, "kernel")))
		}
	}
	if d.NotJudged > 0 {
		notes = append(notes, plural(d.NotJudged, "record")+" not compared: of an architecture that the config does not judge, or incomplete")
	}
	if d.Common() > 0 && d.Compared[Occupancy] == 0 && d.OneSided[Occupancy] == 0 {
		notes = append(notes, "occupancy: no block size is declared; --threads N compares it for blocks of N threads")
	}
	return notes
}

// Incomparable returns why the two can't be judged by the thresholds that
// were asked for, or "" when they can.
func (d *Diff) Incomparable() string {
	if d.Common() == 0 {
		return "the two have no kernel in common: nothing was compared; are they logs of the same project and architectures?"
	}
	for _, t := range d.Thresholds {
		for _, f := range t.Fields {
			if t.Asked && d.Compared[f] == 0 {
				return fmt.Sprintf("the threshold %s can't be judged: no kernel states %s on both sides%s", t.Text, f, incomparableHint(f))
			}
		}
	}
	return ""
}

func incomparableHint(f Field) string {
	switch f {
	case Occupancy:
		return "; give --threads N, or declare launch bounds or a block size"
	case Barriers:
		return "; compilers before 12.8 do not print it"
	default:
		return ""
	}
}
