package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

// format is one way to write an Input.
type format struct {
	name  string
	write func(w *bufio.Writer, in *Input) error
	// guard keeps names, which come from outside, from being read as commands
	// by a terminal or a CI runner that shows the report. JSON keeps names as
	// they are, so it has escapes of its own.
	guard func(io.Writer) io.Writer
}

// guardOf is the guard of a table's format.
func guardOf(format string) func(io.Writer) io.Writer {
	if format == "json" {
		return name.JSONWriter
	}
	return name.LineWriter
}

// formats lists every format, in the order in which help shows them. It is
// made anew for each caller, so that nobody can change it for the others.
func formats() []format {
	return []format{
		{"text", writeText, name.LineWriter},
		{"oneline", writeOneline, name.LineWriter},
		{"json", writeJSON, name.JSONWriter},
		{"jsonl", writeJSONLines, name.JSONWriter},
		{"sarif", writeSARIF, name.JSONWriter},
		{"github", writeGitHub, unguarded},
		{"gitlab", writeGitLab, name.JSONWriter},
		{"junit", writeJUnit, name.LineWriter},
		{"checkstyle", writeCheckstyle, name.LineWriter},
		{"markdown", writeMarkdown, name.LineWriter},
		{"html", writeHTML, unguarded},
	}
}

// FormatNames lists the formats that Write knows.
func FormatNames() []string {
	var list []string
	for _, f := range formats() {
		list = append(list, f.name)
	}
	return list
}

// Known reports whether Write knows the format.
func Known(format string) bool { return slices.Contains(FormatNames(), format) }

// Write writes in to w. Its error is one of w, or of a format that does not
// exist.
func Write(w io.Writer, format string, in *Input) error {
	for _, f := range formats() {
		if f.name != format {
			continue
		}
		out := bufio.NewWriterSize(f.guard(w), 16<<10) // most reports are small, and memory is mapped anew at each start
		in.stream = w
		in.short = nil // each format shows others
		if err := f.write(out, in); err != nil {
			return fmt.Errorf("cannot write the %s report: %w", format, err)
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("cannot write the %s report: %w", format, err)
		}
		return nil
	}
	return fmt.Errorf("no format %q; there are %s", format, strings.Join(FormatNames(), ", "))
}

// unguarded is for what no names can be at a line's start of: annotations,
// which are commands, and the page, whose style has lines that begin with a
// colon.
func unguarded(w io.Writer) io.Writer { return w }

// counts is how many findings of each standing a result has.
type counts struct {
	errors, warnings, infos int
	suppressed, baselined   int
	known                   int // in the base already
}

func count(findings []rules.Finding) counts {
	var c counts
	for i := range findings {
		f := &findings[i]
		switch {
		case f.Suppressed != "" && f.SuppressedBy.From == rules.FromBaseline:
			c.baselined++
		case f.Suppressed != "" && f.SuppressedBy.From == rules.FromBase:
			c.known++
		case f.Suppressed != "":
			c.suppressed++
		case f.Severity == rules.Error:
			c.errors++
		case f.Severity == rules.Warning:
			c.warnings++
		case f.Severity == rules.Info:
			c.infos++
		}
	}
	return c
}

// shown lists the findings for formats that people read line by line:
// suppressed ones never, info only when asked for, errors alone when quiet.
func (in *Input) shown() []*rules.Finding {
	least := rules.Warning
	switch {
	case in.Quiet:
		least = rules.Error
	case in.ShowInfo:
		least = rules.Info
	}
	return in.pick(func(f *rules.Finding) bool { return f.Suppressed == "" && f.Severity >= least })
}

// reported lists the findings for other tools, which filter by themselves:
// suppressed ones too, and info only when asked for, since those tools
// annotate all that they get.
func (in *Input) reported() []*rules.Finding {
	return in.pick(func(f *rules.Finding) bool { return f.Severity > rules.Info || in.ShowInfo })
}

// open lists what reported does, without the suppressed ones, for tools that
// know no suppression.
func (in *Input) open() []*rules.Finding {
	return in.pick(func(f *rules.Finding) bool {
		return f.Suppressed == "" && (f.Severity > rules.Info || in.ShowInfo)
	})
}

func (in *Input) pick(keep func(*rules.Finding) bool) []*rules.Finding {
	var list []*rules.Finding
	for i := range in.Result.Findings {
		if f := &in.Result.Findings[i]; keep(f) {
			list = append(list, f)
		}
	}
	return list
}

func itoa(n int) string { return strconv.Itoa(n) }

// plural spells a number with its noun: "1 kernel", "2 kernels".
func plural(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "y"):
		return itoa(n) + " " + noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "sh"):
		return itoa(n) + " " + noun + "es"
	}
	return itoa(n) + " " + noun + "s"
}

// number shows a finding's value: whole where it is whole, else with as few
// digits as tell it apart from its neighbours.
func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(round1(v), 'f', -1, 64)
}

// percent shows an occupancy: 56 %, 12.5 %.
func percent(p float64) string {
	return strconv.FormatFloat(round1(p), 'f', -1, 64) + " %"
}

// round1 rounds to one decimal, halves away from 0, as the rules do.
func round1(v float64) float64 { return math.Round(v*10) / 10 }
