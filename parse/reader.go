package parse

import (
	"bytes"
	"errors"
	"io"

	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/msg"
)

// Line is one raw line of a log, as OnLine gets it.
type Line struct {
	// Raw is the line as the build wrote it, with its newline where it has
	// one; UTF-16 and gzip are decoded. It is valid during the call only. A
	// line longer than 4 MiB comes in several pieces, of which only the last
	// ends in a newline.
	Raw   []byte
	Class LineClass
}

// Option changes how a log is read.
type Option func(*reader)

// OnLine has f called for each line of the log, in order and as soon as its
// class is known, so that a pipe can be shown as it arrives.
func OnLine(f func(Line)) Option { return func(r *reader) { r.onLine = f } }

// OnText is OnLine without the resource lines, which are most of a log.
func OnText(f func(Line)) Option { return func(r *reader) { r.onLine, r.textOnly = f, true } }

// reader reads one log into a Log.
type reader struct {
	src      io.Reader
	in       *logtext.Decoder // src decoded, once reading has begun
	onLine   func(Line)
	textOnly bool // no resource lines for onLine

	buf      []byte
	pos, end int                   // the part of buf that is not read yet
	scanned  int                   // no newline stands in buf[pos:scanned]
	line     int                   // lines begun so far
	inside   bool                  // in a line whose first pieces are read
	skipping bool                  // in a line of which no more is read
	missed   bool                  // a tool wrote in what is skipped, or that the build failed
	tail     [msg.LongestSign]byte // the end of the last piece of it
	tailLen  int
	full     bool // the last read filled the buffer
	eof      bool
	empty    int // reads in a row that gave nothing
	err      error

	lex    *msg.Lexer
	asm    *assembler
	finder finder
	whole  wholeRecord

	scouts    *scouts // read ahead, once the log proves to be large
	ahead     ahead
	blockSize int // of the scouts' blocks; 0 for no scouts

	lineByLine bool // take no records as a whole; for tests
}

const (
	startBuffer = 16 << 10  // a log of a few kernels needs no more
	fullBuffer  = 256 << 10 // what a large log is read by
	longestLine = 4 << 20
)

func newReader(r io.Reader, log *Log, file string, opts []Option) *reader {
	log.records.prepare()
	rd := &reader{src: r, blockSize: scoutBlock, asm: newAssembler(log, file)}
	rd.lex = msg.NewLexer(rd.asm)
	rd.finder = finder{&rd.lex.Margins, newWordingCache(log.records.wordings, fewWordings)}
	for _, o := range opts {
		o(rd)
	}
	return rd
}

// readAll reads to the end.
func (r *reader) readAll() {
	for r.fill() {
		r.lines()
	}
	if r.scouts != nil {
		r.scouts.dismiss()
	}
	unterminated := r.inside
	if r.pos < r.end {
		rest := r.buf[r.pos:r.end]
		unterminated = unterminated || len(bytes.TrimSpace(rest)) > 0
		r.oneLine(rest, rest)
		r.pos = r.end
	}
	r.endSkipping()
	unterminated = r.lex.End(unterminated)
	if fault := r.in.Fault(); fault != "" {
		r.asm.fault(FaultEncoding, fault, "", r.line)
	}
	r.asm.finish(r.line, unterminated)
}

// fill reads more of the log behind what is left of it in the buffer. It
// returns false at the end.
func (r *reader) fill() bool {
	if r.eof {
		return false
	}
	if r.in == nil {
		r.buf = make([]byte, startBuffer)
		r.in, r.err = logtext.NewDecoder(r.src)
		if r.err != nil {
			r.eof = true
			return false
		}
	}
	r.lex.Settle()
	if r.scouts != nil {
		return r.nextBlock()
	}
	if r.pos > 0 {
		copy(r.buf, r.buf[r.pos:r.end])
		r.end -= r.pos
		r.scanned -= r.pos
		r.pos = 0
	}
	if r.end == len(r.buf) {
		if len(r.buf) >= longestLine {
			r.piece()
			return true
		}
		r.buf = append(r.buf, make([]byte, len(r.buf))...)
	} else if r.full && len(r.buf) < fullBuffer {
		if r.readAhead() {
			return r.nextBlock()
		}
		r.buf = append(r.buf[:r.end], make([]byte, fullBuffer-r.end)...)
	}
	n, err := r.in.Read(r.buf[r.end:])
	r.end += n
	r.full = r.end == len(r.buf)
	return r.arrived(n, err)
}

// arrived takes note of how a read of n bytes ended. It returns false when
// nothing more will come.
func (r *reader) arrived(n int, err error) bool {
	if err != nil {
		r.eof = true
		if !errors.Is(err, io.EOF) {
			r.err = err
		}
		return n > 0
	}
	if n > 0 {
		r.empty = 0
	} else if r.empty++; r.empty > logtext.MostEmptyReads {
		r.eof, r.err = true, io.ErrNoProgress
		return false
	}
	return true
}

// lines recognises the whole lines in the buffer.
func (r *reader) lines() {
	b := r.buf[:r.end]
	for r.pos < r.end {
		// The message that the lexer holds can be the end of a record that was
		// read line by line.
		if !r.lineByLine && !r.inside && (r.lex.Holding() || r.asm.quiet()) {
			r.wholeRecords(b)
		}
		from := max(r.pos, r.scanned)
		n := bytes.IndexByte(b[from:], '\n')
		if n < 0 {
			r.scanned = r.end
			return
		}
		end := from + n
		r.oneLine(b[r.pos:end], b[r.pos:end+1])
		r.inside = false
		r.pos = end + 1
	}
}

// oneLine takes a line, or the last piece of one.
func (r *reader) oneLine(text, raw []byte) {
	class := LineOther
	if r.skipping {
		r.look(text)
		r.endSkipping()
	} else {
		class = r.begin(text)
	}
	r.deliver(raw, class)
}

// begin recognises a line.
func (r *reader) begin(text []byte) LineClass {
	if !r.inside {
		r.line++
	}
	return lineClasses[r.lex.Line(text, r.line)]
}

func (r *reader) deliver(raw []byte, class LineClass) {
	if r.onLine != nil && len(raw) > 0 && (!r.textOnly || class != LineResource) {
		r.onLine(Line{Raw: raw, Class: class})
	}
}

// lineClasses are the classes of what the lexer says of a line.
var lineClasses = [...]LineClass{msg.OtherLine: LineOther, msg.ResourceLine: LineResource, msg.RemarkLine: LineMessage}
