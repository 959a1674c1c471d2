package capture

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/occlint/occlint/parse"
)

// liveInterval is how often the live line is drawn anew.
const liveInterval = 200 * time.Millisecond

// liveDelay keeps commands that end at once free of a flash of text.
const liveDelay = 500 * time.Millisecond

// Live is one line at the bottom of a terminal that says how far a build is.
// It shares the terminal with the build's own output: it is gone before each
// byte of that, and gone for good at the end. A nil Live shows nothing.
type Live struct {
	w     io.Writer
	width func() int // columns of the terminal; 0 when unknown

	started time.Time
	shown   bool
	midLine bool // the build's output stands inside a line: no place to draw

	mu                    sync.Mutex // guards what see counts
	compilations, kernels int
	worstSpill            int64 // bytes of stores
}

// NewLive returns a Live that draws on w, a terminal with width columns.
func NewLive(w io.Writer, width func() int) *Live {
	return &Live{w: w, width: width}
}

// see counts what a line states. It looks no closer than a glance needs: the
// verdict comes from the parser, at the end.
func (l *Live) see(line parse.Line) {
	if l == nil || line.Class != parse.LineResource {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case bytes.Contains(line.Raw, []byte("bytes gmem")):
		l.compilations++
	case bytes.Contains(line.Raw, []byte("Compiling entry function")):
		l.kernels++
	default:
		before, _, ok := bytes.Cut(line.Raw, []byte(" bytes spill stores"))
		if ok {
			n, _ := strconv.ParseInt(string(before[bytes.LastIndexByte(before, ' ')+1:]), 10, 64)
			l.worstSpill = max(l.worstSpill, n)
		}
	}
}

// text is the live line.
func (l *Live) text(elapsed time.Duration) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("occlint: %s, %s, worst spill %s, %s",
		count(l.compilations, "compilation"), count(l.kernels, "kernel"), count(int(l.worstSpill), "byte"), elapsed.Truncate(time.Second))
}

// start draws the line from time to time until the returned function is
// called.
func (l *Live) start(out *outlets) (stop func()) {
	if l == nil {
		return func() {}
	}
	l.started = time.Now()
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(liveInterval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				out.mu.Lock()
				l.draw()
				out.mu.Unlock()
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
		out.mu.Lock()
		l.hide()
		out.mu.Unlock()
	}
}

// draw and what follows are called under the lock of the outlets.
func (l *Live) draw() {
	elapsed := time.Since(l.started)
	if l.midLine || elapsed < liveDelay {
		return
	}
	text := l.text(elapsed)
	// A line as wide as the terminal would wrap, and a wrapped line can't be
	// wiped with one return.
	if w := l.width(); w > 0 && len(text) >= w {
		text = text[:max(w-1, 0)]
	}
	_, _ = io.WriteString(l.w, "\r\x1b[2K"+text)
	l.shown = true
}

// hide wipes the line.
func (l *Live) hide() {
	if l == nil || !l.shown {
		return
	}
	_, _ = io.WriteString(l.w, "\r\x1b[2K")
	l.shown = false
}

// wrote says that the build's own output is on the terminal.
func (l *Live) wrote(p []byte) {
	if l != nil {
		l.midLine = !bytes.HasSuffix(p, []byte{'\n'})
	}
}
