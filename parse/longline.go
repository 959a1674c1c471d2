package parse

import (
	"bytes"
	"fmt"
)

// piece takes what the buffer holds of a line that is longer than it. Where
// a progress bar redrew the line, each drawing is read as a line of its own.
// Otherwise its first piece is read, and of the rest it is only noticed
// whether a tool wrote there.
func (r *Reader) piece() {
	b := r.buf[:r.end]
	if i := bytes.LastIndexByte(b, '\r'); i > 0 {
		b = b[:i]
	}
	class := LineOther
	if r.skipping {
		r.missed = r.missed || namesTool(b)
	} else {
		class = r.begin(b)
		if len(b) == r.end {
			r.lex.cutLine()
			r.skipping = true
			r.missed = class != LineOther
		}
	}
	r.deliver(b, class)
	r.inside = true
	r.pos = len(b)
	if len(b) < r.end {
		r.endSkipping()
	}
}

// endSkipping reports what was not read of a line.
func (r *Reader) endSkipping() {
	if r.skipping && r.missed {
		r.asm.fault(FaultTruncated, fmt.Sprintf("the line is longer than %d MiB, and what the compiler wrote behind that is not read", longestLine>>20), "", r.line)
	}
	r.skipping, r.missed = false, false
}

// namesTool reports whether text can hold a message.
func namesTool(b []byte) bool {
	return bytes.Contains(b, []byte("ptxas")) || bytes.Contains(b, []byte("nvlink"))
}
