package profile

import "fmt"

// Error is why a report can't be used at all, and what to do.
type Error struct {
	Place Place
	What  string
	Help  string // a command or a step; empty where nothing is known to help
}

// Error says where, what and what to do.
func (e *Error) Error() string {
	s := e.Place.File
	if e.Place.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, e.Place.Line)
	}
	if s != "" {
		s += ": "
	}
	s += e.What
	if e.Help != "" {
		s += "; " + e.Help
	}
	return s
}

// The commands that write what can be read.
const (
	exportRaw   = "ncu -i REPORT.ncu-rep --csv --page raw --print-units base"
	exportPlain = "LC_ALL=C " + exportRaw
	recordFull  = "ncu --set full -o REPORT CMD"
)
