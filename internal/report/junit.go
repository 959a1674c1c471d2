package report

import (
	"bufio"
	"cmp"
	"encoding/xml"
	"maps"
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

		names map[string]int // of the cases
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

// writeJUnit writes a passing case for each judged kernel without an error and
// a failing one for the others; warnings stand in the case's output, since
// JUnit knows no severity. A record that can't be judged is skipped, not
// passed. Findings on the log as a whole are a suite of their own, and a log
// that can't be judged is an error there, not a failure.
func writeJUnit(w *bufio.Writer, in *Input) error {
	byRecord := map[int][]*rules.Finding{}
	byName := map[recordKey][]*rules.Finding{} // on names that are not in the log
	var names []recordKey
	var ofLog []*rules.Finding
	for i := range in.Result.Findings {
		f := &in.Result.Findings[i]
		key := recordKey{kernel: f.Kernel, parent: f.Parent, arch: f.Arch}
		switch k := in.owner(f); {
		case f.Kernel == "":
			ofLog = append(ofLog, f)
		case k >= 0:
			byRecord[k] = append(byRecord[k], f)
		default:
			if byName[key] == nil {
				names = append(names, key)
			}
			byName[key] = append(byName[key], f)
		}
	}
	in.shorten(func(yield func(string) bool) {
		for _, k := range in.Log.Kernels() {
			if k.Parent != "" && !yield(k.Parent) {
				return
			}
		}
		longNames(in.all())(yield)
	})
	suites := junitReport{}
	for i, j := range in.Result.Kernels() {
		c := in.junitCase(&j.Kernel, byRecord[i])
		if defect := in.notJudged(&j); defect != "" && c.Failure == nil && c.Error == nil {
			c.Skipped = &junitSkipped{Message: defect}
		}
		suites.add(j.Kernel.Arch, c)
		delete(byRecord, i)
	}
	// Findings on records that were not judged: of other architectures.
	for _, i := range slices.Sorted(maps.Keys(byRecord)) {
		k := in.Log.Kernel(i)
		suites.add(k.Arch, in.junitCase(&k, byRecord[i]))
	}
	for _, n := range names {
		at := byName[n][0].Log
		suites.add(n.arch, in.junitCase(&parse.Kernel{Class: &parse.Class{Arch: n.arch}, Name: n.kernel, Parent: n.parent, Place: at}, byName[n]))
	}
	if len(ofLog) > 0 {
		c := in.junitCase(&parse.Kernel{Class: &parse.Class{Arch: "log"}, Place: ofLog[0].Log}, ofLog)
		c.Name = "the log as a whole"
		suites.add("log", c)
	}
	return writeXML(w, suites.all())
}

// notJudged says why a kernel was not judged; empty when it was.
func (in *Input) notJudged(j *rules.Judgement) string {
	defects := j.Kernel.Defect | j.Record.Defect
	if j.Compiled >= 0 {
		defects |= in.Log.Kernel(j.Compiled).Defect
	}
	if defects == 0 {
		return ""
	}
	return defects.String()
}

// junitReport has the suites by architecture.
type junitReport map[string]*junitSuite

func (r junitReport) add(arch string, c junitCase) {
	s := r[arch]
	if s == nil {
		s = &junitSuite{Name: cmp.Or(xmlText(escaped(arch)), "no architecture stated"), Time: "0", names: map[string]int{}}
		r[arch] = s
	}
	s.add(c)
}

// all is the report, in the order of the architectures.
func (r junitReport) all() junitSuites {
	report := junitSuites{Name: "occlint"}
	archs := make([]string, 0, len(r))
	for a := range r {
		archs = append(archs, a)
	}
	slices.SortFunc(archs, compareArch)
	for _, a := range archs {
		s := r[a]
		report.Tests += s.Tests
		report.Failures += s.Failures
		report.Errors += s.Errors
		report.Skipped += s.Skipped
		report.Suites = append(report.Suites, *s)
	}
	return report
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	// Readers take two cases of one name for one. The first keeps its name from
	// run to run; the others are told apart by their number.
	s.names[c.Name]++
	if n := s.names[c.Name]; n > 1 {
		c.Name += " (" + itoa(n) + ")"
		s.names[c.Name]++
	}
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Error != nil:
		s.Errors++
	case c.Failure != nil:
		s.Failures++
	}
	s.Cases = append(s.Cases, c)
}

func (in *Input) junitCase(k *parse.Kernel, findings []*rules.Finding) junitCase {
	c := junitCase{Name: unnamed, ClassName: "occlint." + xmlText(escaped(k.Arch)), Time: "0",
		File: xmlText(escaped(k.Place.File)), Line: k.Place.Line}
	if k.Name != "" {
		c.Name = xmlText(briefName(in.demangled(k.Name)))
	}
	if k.Parent != "" {
		c.Name += " in " + xmlText(in.shortName(k.Parent))
	}
	if micros := k.CompileMicros.Or(0); micros > 0 {
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
