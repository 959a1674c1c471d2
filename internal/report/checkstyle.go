package report

import (
	"bufio"
	"encoding/xml"
	"strings"

	"github.com/occlint/occlint/rules"
)

// The shape of Checkstyle's report, which many review tools read.
type (
	checkstyleReport struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr,omitempty"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

// writeCheckstyle writes every finding that is not suppressed, by file.
func writeCheckstyle(w *bufio.Writer, in *Input) error {
	// The version is that of the format as Checkstyle 8 writes it.
	report := checkstyleReport{Version: "8.0"}
	index := map[string]int{}
	for _, f := range in.open() {
		at := anchor(f)
		file := xmlText(escaped(at.File))
		if file == "" {
			file = "occlint"
		}
		i, ok := index[file]
		if !ok {
			i = len(report.Files)
			index[file] = i
			report.Files = append(report.Files, checkstyleFile{Name: file})
		}
		report.Files[i].Errors = append(report.Files[i].Errors, checkstyleError{
			// Readers take line 0 for a fault in the report.
			Line: max(at.Line, 1), Column: at.Column, Severity: f.Severity.String(),
			Message: xmlText(in.sentence(f)), Source: "occlint." + f.Rule,
		})
	}
	return writeXML(w, report)
}

// writeXML writes v as a document of its own.
func writeXML(w *bufio.Writer, v any) error {
	if _, err := w.WriteString(xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

// xmlText drops what XML 1.0 can't hold, not even as a reference; the rest is
// escaped by the encoder. Names are made visible before, so that nothing is
// lost here but what stands in file names.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r', r >= 0x20 && r <= 0xd7ff, r >= 0xe000 && r <= 0xfffd && r != 0xfffd, r >= 0x10000:
			return r
		}
		return '\ufffd'
	}, s)
}

// sentence is a message with its help: what fits in one text field.
func (in *Input) sentence(f *rules.Finding) string {
	s := in.message(f)
	if f.Help != "" {
		s += "; " + brief(f.Help)
	}
	return s
}
