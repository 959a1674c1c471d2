package capture

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
)

// Forward says which lines of a command's output flow on.
type Forward uint8

// The choices.
const (
	ForwardAll      Forward = iota // every byte, as soon as it comes
	ForwardMessages                // all lines but resource lines, as soon as they are whole
	ForwardNone
)

// outlets are where a command's output flows on to. A writer that fails (the
// reader of a pipe went away) is given up, and the command runs on.
type outlets struct {
	mu   sync.Mutex
	to   [streams]io.Writer
	dead [streams]bool
	open [streams]bool // the last line that went out has no end yet
	live *Live
}

func (o *outlets) write(s stream, p []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.dead[s] || o.to[s] == nil || len(p) == 0 {
		return
	}
	o.live.hide()
	if _, err := o.to[s].Write(p); err != nil {
		o.dead[s] = true
	}
	o.open[s] = !bytes.HasSuffix(p, []byte{'\n'})
	o.live.wrote(p)
}

// samePlace reports whether both writers end in one terminal, pipe or file, so
// that their order matters to who reads it.
func samePlace(a, b io.Writer) bool {
	fa, okA := a.(*os.File)
	fb, okB := b.(*os.File)
	if !okA || !okB {
		return false
	}
	ia, errA := fa.Stat()
	ib, errB := fb.Stat()
	return errors.Join(errA, errB) == nil && os.SameFile(ia, ib)
}
