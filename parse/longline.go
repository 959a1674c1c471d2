package parse

import (
	"bytes"
	"fmt"

	"github.com/occlint/occlint/parse/internal/msg"
)

// piece takes what the buffer holds of a line that is longer than it. Where
// a progress bar redrew the line, each drawing is read as a line of its own.
// Otherwise its first piece is read, and of the rest it is only noticed
// whether a tool wrote there.
func (r *reader) piece() {
	b := r.buf[:r.end]
	if i := bytes.LastIndexByte(b, '\r'); i > 0 {
		b = b[:i]
	}
	class := LineOther
	if r.skipping {
		r.look(b)
	} else {
		class = r.begin(b)
		if len(b) == r.end {
			r.lex.CutLine()
			r.skipping = true
			r.missed = class != LineOther
			r.tailLen = copy(r.tail[:], b[max(0, len(b)-msg.LongestSign):])
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
func (r *reader) endSkipping() {
	if r.skipping && r.missed {
		r.asm.fault(FaultTruncated, fmt.Sprintf("the line is longer than %d MiB, and what a tool wrote behind that is not read", longestLine>>20), "", r.line)
	}
	r.skipping, r.missed = false, false
}

// look notices in a piece that is not read whether a message or a sign of
// failure can be in it. What stands in that line is then not known.
func (r *reader) look(b []byte) {
	if r.missed {
		return
	}
	// A sign can lie across two pieces.
	var seam [2 * msg.LongestSign]byte
	n := copy(seam[:], r.tail[:r.tailLen])
	n += copy(seam[n:], b[:min(len(b), msg.LongestSign)])
	if msg.MayTell(b) || msg.MayTell(seam[:n]) {
		r.missed = true
		return
	}
	r.tailLen = copy(r.tail[:], b[max(0, len(b)-msg.LongestSign):])
}
