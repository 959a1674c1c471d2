package capture

import (
	"bytes"
	"io"
	"sync"
)

// maxHeldLine bounds what is kept of a line that does not end. A longer one
// goes into the log in pieces.
const maxHeldLine = 1 << 20

// merger makes one log of a command's two outputs: whole lines in the order
// in which they ended, so that one stream never tears a line of the other.
// It is not safe for concurrent use; its origins are.
type merger struct {
	w       io.Writer
	held    [streams][]byte // unfinished lines
	torn    stream          // whose unfinished line is partly in the log
	isTorn  bool
	origins origins
}

// write adds a chunk of one stream.
func (m *merger) write(s stream, p []byte) {
	if end := bytes.LastIndexByte(p, '\n') + 1; end > 0 {
		m.origins.add(s, bytes.Count(p[:end], []byte{'\n'})-m.endTorn(s))
		m.put(m.held[s], p[:end])
		m.held[s] = m.held[s][:0]
		p = p[end:]
	}
	m.held[s] = append(m.held[s], p...)
	if len(m.held[s]) > maxHeldLine {
		m.origins.add(s, 1-m.endTorn(s))
		m.torn, m.isTorn = s, true
		m.put(m.held[s])
		m.held[s] = nil
	}
}

// endTorn is called before s writes: it ends a line that is partly written
// when the line is the other stream's. It returns 1 when what s writes goes on
// with a line that is counted already, else 0.
func (m *merger) endTorn(s stream) int {
	if !m.isTorn {
		return 0
	}
	m.isTorn = false
	if m.torn == s {
		return 1
	}
	m.put([]byte{'\n'})
	return 0
}

// flush writes the lines that never ended, and returns how many there are.
// Only the last one stays without an end, as it came.
func (m *merger) flush() (unended int) {
	order := [streams]stream{stdout, stderr}
	if m.isTorn && m.torn == stderr {
		order = [streams]stream{stderr, stdout}
	}
	open := m.isTorn
	if open {
		unended++
	}
	for _, s := range order {
		if len(m.held[s]) == 0 {
			continue
		}
		if open && m.torn != s {
			m.put([]byte{'\n'})
		}
		if !m.isTorn || m.torn != s {
			m.origins.add(s, 1)
			unended++
		}
		m.put(m.held[s])
		m.held[s] = nil
		m.torn, open = s, true
	}
	return unended
}

func (m *merger) put(parts ...[]byte) {
	for _, p := range parts {
		if len(p) > 0 {
			_, _ = m.w.Write(p) // the writers behind keep their own errors
		}
	}
}

// origins remembers which stream each line of the merged log came from, for
// the reader that meets the lines later in the same order.
type origins struct {
	mu    sync.Mutex
	lines []stream
}

func (o *origins) add(s stream, n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for range n {
		o.lines = append(o.lines, s)
	}
}

// claim returns the stream of the line that raw belongs to, and moves on when
// raw ends the line.
func (o *origins) claim(raw []byte) stream {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.lines) == 0 {
		return stderr
	}
	s := o.lines[0]
	if bytes.HasSuffix(raw, []byte{'\n'}) {
		o.lines = o.lines[1:]
	}
	return s
}
