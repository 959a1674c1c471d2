package parse

import (
	"bytes"
	"hash/maphash"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/occlint/occlint/parse/internal/msg"
)

// Scouts read a large log ahead of its Reader, each on a processor of its own.
// They take turns at reading a block of it, and find the records that stand in
// theirs whole, which is most of the work. The Reader takes the blocks in their
// order and decides: it takes what a scout found at a place only where it would
// itself have looked for a whole record there, within the same margins, and what one
// finds is what the other would find, since nothing else plays a part. All else
// it reads as if there were no scouts (TestScout, FuzzScout).
type scouts struct {
	src     io.Reader
	margins atomic.Pointer[msg.Margins] // what to look for
	empty   chan *block
	full    chan *block // in the order of the log

	reading sync.Mutex // src, and the sending to full
	ended   bool       // src is
	blocks  int        // read so far

	idle atomic.Bool // what scouts find is not taken
}

// A block is a piece of the log and the records in it. Before its data there
// is room for what the Reader has not read yet of the block before.
type block struct {
	buf     []byte
	end     int   // of the data, which begins at room
	skip    bool  // don't look for records in it
	err     error // behind it
	margins *msg.Margins
	found   []foundRecord
	names   []byte        // of found, one behind the other
	ready   chan struct{} // found is complete
}

// foundRecord is a whole record in a block's buffer. Its name is in names.
type foundRecord struct {
	at, name int
	wholeRecord
}

const (
	scoutBlock = 512 << 10
	room       = 64 << 10
	mostScouts = 4 // the Reader could not follow more

	// Where lines of several wrappers alternate, or none is the compiler's,
	// nothing that scouts find is of use. Then they look at few blocks only.
	fruitless = 4  // looks in a row without a record that was taken
	idleLooks = 16 // one block in so many
)

// readAhead sends scouts, where there are processors for them.
func (r *reader) readAhead() bool {
	processors := runtime.GOMAXPROCS(0)
	if r.scouts != nil || r.blockSize == 0 || r.lineByLine || processors < 2 {
		return false
	}
	number := min(processors, mostScouts)
	blocks := 2*number + 2
	s := &scouts{src: r.in, full: make(chan *block, blocks), empty: make(chan *block, blocks)}
	s.show(&r.lex.Margins)
	for range blocks {
		s.empty <- &block{buf: make([]byte, room+r.blockSize), ready: make(chan struct{}, 1)}
	}
	r.scouts = s
	for range number {
		go s.run(r.asm.records)
	}
	return true
}

// dismiss ends the scouts.
func (s *scouts) dismiss() { close(s.empty) }

func (s *scouts) run(all *records) {
	wordings := newWordingCache(all.wordings, manyWordings)
	size := 0
	for b := range s.empty {
		if !s.read(b) {
			return
		}
		b.look(wordings, all.names.seed, size)
		size = len(b.names) + len(b.names)/16
		b.ready <- struct{}{}
	}
}

// read fills a block; it returns false at the end of the log.
func (s *scouts) read(b *block) bool {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.ended {
		return false
	}
	n, err := s.src.Read(b.buf[room:])
	b.end, b.err, b.margins = room+n, err, s.margins.Load()
	b.skip = s.idle.Load() && s.blocks%idleLooks != 0
	s.blocks++
	s.ended = err != nil
	s.full <- b
	return true
}

// look finds the whole records of a block, with names of about size bytes. It
// begins behind the first newline, as what stands before it is the rest of a
// line.
func (b *block) look(wordings *wordingCache, seed maphash.Seed, size int) {
	b.found = b.found[:0]
	if b.names == nil {
		b.names = make([]byte, 0, size)
	}
	b.names = b.names[:0]
	if b.skip {
		return
	}
	data := b.buf[:b.end]
	f := finder{b.margins, wordings}
	for i := room + bytes.IndexByte(data[room:], '\n') + 1; ; {
		if w := b.next(); f.record(data[i:], &w.wholeRecord) {
			w.hash = maphash.Bytes(seed, w.wholeRecord.name)
			w.at, w.name = i, len(b.names)
			b.names = append(b.names, w.wholeRecord.name...)
			i += w.length
			b.found = b.found[:len(b.found)+1]
			continue
		}
		n := bytes.IndexByte(data[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
	}
}

// next returns where the next record of the block goes.
func (b *block) next() *foundRecord {
	if len(b.found) == cap(b.found) {
		b.found = slices.Grow(b.found, max(64, len(b.found)))
	}
	return &b.found[:len(b.found)+1][len(b.found)]
}

// show tells the scouts within what margins to look from now on.
func (s *scouts) show(m *msg.Margins) {
	if now := s.margins.Load(); now == nil || !now.Equal(m) {
		s.margins.Store(m.Clone())
	}
}

// ahead is the block that the Reader is in.
type ahead struct {
	block *block    // nil for none
	last  *block    // to be handed back
	long  []byte    // the Reader's buffer in a line that is too long for a block's
	shift int       // of the Reader's buffer against the block's
	next  int       // the first of the block's records that was not passed yet
	names namePlace // of the block's, if they were adopted

	checked *msg.Margins // against those of version, with the answer
	version int
	same    bool

	taken     int // records of all blocks so far
	before    int // taken before this block
	fruitless int // blocks in a row of which none was taken
}

// nextBlock moves on to the next block, behind what is left of the one before.
// It returns false at the end of the log.
func (r *reader) nextBlock() bool {
	a := &r.ahead
	rest := r.buf[r.pos:r.end:r.end]
	scanned := max(r.scanned-r.pos, 0)
	if len(rest) >= longestLine {
		r.buf, r.pos, r.end, a.block = rest, 0, longestLine, nil
		r.piece()
		r.end, r.scanned = len(rest), scanned
		return true
	}
	b := <-r.scouts.full
	<-b.ready
	if len(rest) <= room {
		r.pos = room - len(rest)
		copy(b.buf[r.pos:room], rest)
		r.buf, r.end, a.shift, a.long = b.buf, b.end, 0, nil
	} else { // a very long line
		if a.long == nil {
			a.long = bytes.Clone(rest)
		} else {
			a.long = a.long[len(a.long)-len(rest):] // it ends with rest
		}
		a.long = append(a.long, b.buf[room:b.end]...)
		r.buf, r.pos, r.end, a.shift = a.long, 0, len(a.long), len(rest)-room
	}
	r.scanned = r.pos + scanned
	if a.last != nil {
		r.heed(a.last)
		r.scouts.empty <- a.last
	}
	a.block, a.last, a.next = b, b, 0
	a.names = 0
	if all := &r.asm.records.names; len(b.names) < 1<<offsetBits && 8*all.fetch(b.found) > 7*len(b.found) {
		a.names = all.adopt(b.names)
		b.names = nil
	}
	return r.arrived(b.end-room, b.err)
}

// heed tells the scouts what became of a block: within which margins to look, and
// whether looking is of use.
func (r *reader) heed(b *block) {
	a := &r.ahead
	r.scouts.show(&r.lex.Margins)
	if b.skip {
		return
	}
	if a.fruitless++; a.taken > a.before {
		a.fruitless = 0
	}
	a.before = a.taken
	r.scouts.idle.Store(a.fruitless >= fruitless)
}
