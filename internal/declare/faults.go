package declare

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/parse"
)

// Error is everything that is wrong with the declarations.
type Error struct{ Faults []Fault }

// Fault is one thing that is wrong, and where.
type Fault struct {
	Place parse.Place
	Text  string
}

// maxShown bounds how many faults Error prints.
const maxShown = 50

// Error prints each fault on a line that editors can read.
func (e *Error) Error() string {
	var b strings.Builder
	for i, f := range e.Faults {
		if i == maxShown {
			fmt.Fprintf(&b, "\n… and %d more", len(e.Faults)-maxShown)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.String())
	}
	return b.String()
}

// String is "file:line:column: text".
func (f Fault) String() string {
	switch {
	case f.Place.File == "":
		return f.Text
	case f.Place.Line == 0:
		return f.Place.File + ": " + f.Text
	case f.Place.Column == 0:
		return fmt.Sprintf("%s:%d: %s", f.Place.File, f.Place.Line, f.Text)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.Place.File, f.Place.Line, f.Place.Column, f.Text)
}

type faults []Fault

func (f *faults) add(p parse.Place, format string, args ...any) {
	*f = append(*f, Fault{p, fmt.Sprintf(format, args...)})
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return &Error{f}
}
