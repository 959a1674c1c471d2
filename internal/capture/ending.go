package capture

import (
	"bytes"
	"slices"

	"github.com/occlint/occlint/parse"
)

// ending watches how a log ends. A reader of a file can't tell a last line
// without a newline from a log that was cut. Here the command was seen to end
// by itself and all of its output was read, so such a line is as long as it was
// written: a program that prints "Done" without a newline. Only the compiler's
// lines are always written with one, and are cut without.
type ending struct {
	line  int     // number of the line that is being read; 0 before the first
	last  [2]bool // whether that line, and the one before, may stay without an end
	ended bool    // the line has its newline
}

// see takes each piece of a line.
func (e *ending) see(l parse.Line) {
	fine := mayStayOpen(l)
	switch {
	case e.line == 0 || e.ended:
		e.line++
		e.last = [2]bool{fine, e.last[0]}
	default: // a line so long that it comes in pieces is not read whole
		e.last[0] = false
	}
	e.ended = bytes.HasSuffix(l.Raw, []byte{'\n'})
}

// mayStayOpen reports whether a line is of a program that may leave it without
// a newline: no message of the compiler, nor the beginning of one.
func mayStayOpen(l parse.Line) bool {
	return l.Class == parse.LineOther && !bytes.Contains(l.Raw, []byte("ptxas")) && !bytes.Contains(l.Raw, []byte("nvlink"))
}

// accept takes the fault out that the reader found in the end of the last
// line. unended is how many of the last lines have no newline of their own: at
// most one for each stream.
func (e *ending) accept(log *parse.Log, unended int) {
	if e.ended || slices.Contains(e.last[:min(unended, len(e.last))], false) {
		return
	}
	for i, f := range slices.Backward(log.Faults) {
		if f.Kind == parse.FaultTruncated && f.Kernel == "" && f.Place.Line == e.line {
			log.Faults = slices.Delete(log.Faults, i, i+1)
			return
		}
	}
}
