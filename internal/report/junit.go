package report

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"slices"
	"strings"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// The shape of JUnit's report, as CI systems read it: a suite for each
// architecture, a case for each kernel.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Time      string        `xml:"time,attr"`
		File      string        `xml:"file,attr,omitempty"`
		Line      int           `xml:"line,attr,omitempty"`
		Skipped   *junitSkipped `xml:"skipped"`
		Error     *junitFailure `xml:"error"`
		Failure   *junitFailure `xml:"failure"`
		Out       string        `xml:"system-out,omitempty"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// junitKey is a test case: a kernel on an architecture.
type junitKey struct{ arch, kernel string }

// writeJUnit writes a passing case for each judged kernel without an error and
// a failing one for the others; warnings stand in the case's output, since
// JUnit knows no severity. Findings on the log as a whole are a suite of their
// own, and a log that can't be judged is an error there, not a failure.
func writeJUnit(w *bufio.Writer, in *Input) error {
	byKernel := map[junitKey][]*rules.Finding{}
	var ofLog []*rules.Finding
	for i := range in.Result.Findings {
		f := &in.Result.Findings[i]
		if f.Kernel == "" {
			ofLog = append(ofLog, f)
			continue
		}
		k := junitKey{f.Arch, f.Kernel}
		byKernel[k] = append(byKernel[k], f)
	}
	suites := map[string]*junitSuite{}
	add := func(arch string, c junitCase) {
		s := suites[arch]
		if s == nil {
			s = &junitSuite{Name: cmp.Or(xmlText(escaped(arch)), "no architecture stated"), Time: "0"}
			suites[arch] = s
		}
		s.add(c)
	}
	for i := range in.Result.Kernels {
		k := in.Result.Kernels[i].Kernel
		key := junitKey{k.Arch, k.Name}
		add(k.Arch, in.junitCase(k.Name, k.Arch, k.Place, k.CompileMicros.Or(0), byKernel[key]))
		// A kernel that occurs twice has its findings in the first case only.
		byKernel[key] = nil
	}
	// Findings on device functions and on names that are not in the log.
	for i := range in.Result.Findings {
		f := &in.Result.Findings[i]
		if key := (junitKey{f.Arch, f.Kernel}); f.Kernel != "" && byKernel[key] != nil {
			add(f.Arch, in.junitCase(f.Kernel, f.Arch, f.Log, 0, byKernel[key]))
			byKernel[key] = nil
		}
	}
	if len(ofLog) > 0 {
		add("log", in.junitCase("", "log", ofLog[0].Log, 0, ofLog))
	}
	report := junitSuites{Name: "occlint"}
	archs := make([]string, 0, len(suites))
	for a := range suites {
		archs = append(archs, a)
	}
	slices.SortFunc(archs, compareArch)
	for _, a := range archs {
		s := suites[a]
		report.Tests += s.Tests
		report.Failures += s.Failures
		report.Errors += s.Errors
		report.Skipped += s.Skipped
		report.Suites = append(report.Suites, *s)
	}
	return writeXML(w, report)
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	}
	s.Cases = append(s.Cases, c)
}

func (in *Input) junitCase(kernel, arch string, at parse.Place, micros int64, findings []*rules.Finding) junitCase {
	c := junitCase{Name: "the log as a whole", ClassName: "occlint." + xmlText(escaped(arch)), Time: "0",
		File: xmlText(escaped(at.File)), Line: at.Line}
	if kernel != "" {
		c.Name = xmlText(escaped(in.demangled(kernel)))
	}
	if micros > 0 {
		c.Time = seconds(micros)
	}
	var failed, told []string
	for _, f := range findings {
		line := f.Severity.String() + ": " + in.sentence(f) + " [" + f.Rule + "]"
		if at := place(anchor(f)); at != "" {
			line = at + ": " + line
		}
		switch {
		case f.Suppressed != "":
			told = append(told, line+" (suppressed: "+brief(f.Suppressed)+")")
		case f.Severity != rules.Error:
			told = append(told, line)
		default:
			failed = append(failed, line)
			if c.Failure == nil && c.Error == nil {
				failure := &junitFailure{Message: xmlText(in.message(f)), Type: f.Rule}
				if f.Rule == "untrusted-log" {
					c.Error = failure
				} else {
					c.Failure = failure
				}
			}
		}
	}
	text := xmlText(strings.Join(failed, "\n"))
	if c.Failure != nil {
		c.Failure.Text = text
	}
	if c.Error != nil {
		c.Error.Text = text
	}
	c.Out = xmlText(strings.Join(told, "\n"))
	return c
}
