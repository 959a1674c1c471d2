package parse

import (
	"bytes"
	"io"
	"runtime"
	"sync/atomic"
)

// A scout reads a large log ahead of its Reader, on another processor. On the
// way it finds the records that stand there whole, and makes strings of their
// names, which is most of the work. The Reader decides: it takes what the scout
// found at a place only where it would itself have looked for a whole record
// there, in the same frame, and what one finds is what the other would find,
// since nothing else plays a part. All else it reads as if there were no scout
// (TestScout, FuzzScout).
type scout struct {
	src         io.Reader
	full, empty chan *block
	frame       atomic.Pointer[frame] // what to look for

	names interner
	banks bankInterner
	arch  lastString

	// What follows is the Reader's.

	queue []*block // with records that may still be asked for
	rest  []byte   // of the last block, what is not read yet
	err   error    // behind rest
	read  int64    // bytes that were read so far
	taken int      // records

	checked *block // against frame version, with the answer
	version int
	same    bool
}

// A block is a piece of the log and the records in it.
type block struct {
	data  []byte
	from  int64 // where it begins, in bytes that the scout has read
	err   error // behind it
	frame *frame
	found []foundRecord
	next  int // the first of found that was not passed yet
}

// foundRecord is what is known of a whole record.
type foundRecord struct {
	at   int64
	ends [4]int // of its lines, from at
	values
	banks Banks
	name  string
	hash  uint64
	arch  string
}

const (
	scoutBlock  = 256 << 10
	scoutBlocks = 6
)

// readAhead sends a scout, where there is a processor for it.
func (r *Reader) readAhead() {
	if r.scout != nil || r.blockSize == 0 || r.lineByLine || runtime.GOMAXPROCS(0) < 2 {
		return
	}
	s := &scout{src: r.in.r, full: make(chan *block, scoutBlocks), empty: make(chan *block, scoutBlocks)}
	r.asm.names.sow()
	s.names.seed = r.asm.names.seed
	s.show(&r.lex.frame)
	for range scoutBlocks {
		s.empty <- &block{data: make([]byte, r.blockSize)}
	}
	r.scout, r.more = s, s
	go s.run()
}

// dismiss ends the scout at its next block, if it has not come to the end.
func (s *scout) dismiss() { close(s.empty) }

func (s *scout) run() {
	var w wholeRecord
	from := int64(0)
	for b := range s.empty {
		b.from, b.frame, b.found, b.next = from, s.frame.Load(), b.found[:0], 0
		size := cap(b.data)
		n, err := s.src.Read(b.data[:size])
		b.data, b.err = b.data[:n], err
		from += int64(n)
		s.look(b, &w)
		s.full <- b
		if err != nil {
			return
		}
	}
}

// look finds the whole records of a block. It begins behind the first newline,
// as what stands before it is the rest of a line.
func (s *scout) look(b *block, w *wholeRecord) {
	for i := bytes.IndexByte(b.data, '\n') + 1; ; {
		if b.frame.record(b.data[i:], w) {
			name, hash := s.names.hashed(w.m.name)
			b.found = append(b.found, foundRecord{
				at: b.from + int64(i), ends: w.ends, values: w.m.values, banks: s.banks.intern(&w.m.numbers),
				name: name, hash: hash, arch: s.arch.intern(&s.names, w.m.arch),
			})
			i += w.ends[len(w.ends)-1]
			continue
		}
		n := bytes.IndexByte(b.data[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
	}
}

// Read implements io.Reader for the Reader.
func (s *scout) Read(p []byte) (int, error) {
	for len(s.rest) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		if len(s.queue) == scoutBlocks { // a very long line
			s.pop()
		}
		b := <-s.full
		s.queue = append(s.queue, b)
		s.rest, s.err = b.data, b.err
		if len(b.data) == 0 && b.err == nil {
			return 0, nil
		}
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	s.read += int64(n)
	return n, nil
}

// pop hands the first block back.
func (s *scout) pop() {
	b := s.queue[0]
	s.queue = append(s.queue[:0], s.queue[1:]...)
	if b.err == nil {
		s.empty <- b
	}
}

// recordAt returns the record that begins left bytes before the end of what
// was read, nil when none was found there, or not all of it was read, or by
// another frame than f.
func (s *scout) recordAt(left int, f *frame) *foundRecord {
	at := s.read - int64(left)
	for len(s.queue) > 0 {
		b := s.queue[0]
		for b.next < len(b.found) && b.found[b.next].at < at {
			b.next++
		}
		if b.next == len(b.found) {
			if len(s.queue) == 1 && len(s.rest) > 0 {
				return nil // its bytes are still to be read
			}
			s.pop()
			continue
		}
		found := &b.found[b.next]
		if found.at != at || left < found.ends[len(found.ends)-1] || !s.agrees(b, f) {
			return nil
		}
		s.taken++
		return found
	}
	return nil
}

// agrees reports whether a block was looked through by the frame f.
func (s *scout) agrees(b *block, f *frame) bool {
	if s.checked != b || s.version != f.version {
		s.checked, s.version = b, f.version
		if s.same = b.frame.equal(f); !s.same {
			s.show(f)
		}
	}
	return s.same
}

// show tells the scout what frame to look for from now on.
func (s *scout) show(f *frame) {
	if now := s.frame.Load(); now == nil || !now.equal(f) {
		s.frame.Store(f.clone())
	}
}

func (f *frame) equal(g *frame) bool {
	return f.head == g.head && f.stack == g.stack && bytes.Equal(f.tail, g.tail) && bytes.Equal(f.stackTail, g.stackTail)
}

func (f *frame) clone() *frame {
	c := *f
	c.tail, c.stackTail = bytes.Clone(f.tail), bytes.Clone(f.stackTail)
	c.prefix, c.stackPrefix = nil, nil // the Reader's own
	return &c
}
