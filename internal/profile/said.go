package profile

import (
	"bytes"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// note takes a line of the profiler's own, which start with "==", and keeps
// what explains a table that is missing.
func (t *tableReader) note(line []byte) bool {
	said, ok := toolLine(line)
	if said != "" {
		t.said = said
	}
	return ok
}

// toolLine reports a line of the profiler's own, and what it says if that is
// an error or a warning that nothing was profiled.
func toolLine(line []byte) (said string, ok bool) {
	if !bytes.HasPrefix(line, []byte("==")) {
		return "", false
	}
	for _, level := range []string{"==ERROR==", "==WARNING==", "==PROF=="} {
		rest, is := bytes.CutPrefix(line, []byte(level))
		if !is {
			continue
		}
		text := name.Brief(strings.TrimSpace(string(rest[:min(len(rest), 400)])), 200)
		if level == "==ERROR==" || strings.Contains(text, "No kernels were profiled") {
			return text, true
		}
		return "", true
	}
	return "", false
}

// nothing explains a report without a launch.
func (t *tableReader) nothing() error {
	if t.report.Launches > 0 {
		return nil
	}
	return emptyReport(t.report.File, t.in, t.said)
}

func emptyReport(file string, table bool, said string) error {
	what := "no table of the profiler"
	if table {
		what = "the table has no launch"
	}
	e := &Error{Place{file, 0}, what, "record with: " + recordFull + ", and export with: " + exportRaw}
	if said != "" {
		e.What += "; the profiler says: " + said
	}
	if strings.Contains(said, "ERR_NVGPUCTRPERM") {
		e.Help = "the driver keeps the counters for administrators: allow it to users (NVreg_RestrictProfilingToAdminUsers=0), or run the profiler as root"
	}
	return e
}
