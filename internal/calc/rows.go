package calc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// mostRowBytes bounds a row, so that a file of another kind does not fill the
// memory.
const mostRowBytes = 1 << 20

// rowReader reads CSV row by row. Unlike encoding/csv it goes on behind a row
// that is none: with the line that follows the one where that row starts, so
// that a quote that is never closed costs one row and not the rest of the file.
type rowReader struct {
	in    *bufio.Reader
	lines []physicalLine // read and perhaps to be read again; pos are taken
	pos   int
	read  int // lines read from in
}

type physicalLine struct {
	number  int
	text    string
	tooLong bool // text is empty
}

// row is one row, with the line it starts in. A row with a fault has the cells
// of its first line as they stand there, as far as they can be told.
type row struct {
	line  int
	cells []string // valid until the next row
	fault error
}

func newRowReader(r io.Reader) *rowReader { return &rowReader{in: skipBOM(r)} }

// next reads one row; blank lines are none. The error is io.EOF or that of
// reading.
func (r *rowReader) next(p *rowParser) (row, error) {
	r.lines, r.pos = r.lines[r.pos:], 0
	if len(r.lines) == 0 {
		r.lines = nil
	}
	first, err := r.line()
	for err == nil && first.text == "" && !first.tooLong {
		r.lines, r.pos = r.lines[1:], 0
		first, err = r.line()
	}
	if err != nil {
		return row{}, err
	}
	out := row{line: first.number}
	if first.tooLong {
		out.fault = fmt.Errorf("the line is longer than %d bytes", mostRowBytes)
		return out, nil
	}
	out.fault, err = r.whole(p, first)
	if err != nil {
		return row{}, err
	}
	out.cells = p.cells
	if out.fault != nil {
		r.pos = 1 // what follows is read anew
		out.cells = strings.Split(first.text, ",")
	}
	return out, nil
}

// whole parses a row that starts with first and may have more lines.
func (r *rowReader) whole(p *rowParser, first physicalLine) (fault, err error) {
	p.reset()
	if fault := p.feed(first.text); fault != nil {
		return fault, nil
	}
	size := len(first.text)
	for p.open {
		l, err := r.line()
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("a quote is opened and never closed"), nil
		case err != nil:
			return nil, err
		}
		if size += len(l.text); size > mostRowBytes || l.tooLong {
			return fmt.Errorf("a quote is opened and not closed within %d bytes", mostRowBytes), nil
		}
		if fault := p.feed(l.text); fault != nil {
			return fmt.Errorf("a quote is opened, and in line %d: %w", l.number, fault), nil
		}
	}
	return nil, nil
}

// line takes the next line, from those to be read again or from the input.
func (r *rowReader) line() (physicalLine, error) {
	if r.pos == len(r.lines) {
		l, err := r.readLine()
		if err != nil {
			return l, err
		}
		r.lines = append(r.lines, l)
	}
	r.pos++
	return r.lines[r.pos-1], nil
}

func (r *rowReader) readLine() (physicalLine, error) {
	var long []byte
	l := physicalLine{number: r.read + 1}
	for {
		part, err := r.in.ReadSlice('\n')
		switch {
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull):
			return l, err
		case errors.Is(err, io.EOF) && len(part) == 0 && long == nil:
			return l, io.EOF
		case err == nil && long == nil: // the usual one
			r.read++
			l.text = string(trimNewline(part))
			return l, nil
		}
		if long = append(long, part...); len(long) > mostRowBytes {
			l.tooLong, long = true, long[:0]
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
	}
	r.read++
	if !l.tooLong {
		l.text = string(trimNewline(long))
	}
	return l, nil
}

func trimNewline(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
		if n > 1 && b[n-2] == '\r' {
			b = b[:n-2]
		}
	}
	return b
}

// skipBOM passes over the mark that some spreadsheets write before UTF-8.
func skipBOM(r io.Reader) *bufio.Reader {
	in := bufio.NewReaderSize(r, 1<<16)
	if start, err := in.Peek(3); err == nil && string(start) == "\ufeff" {
		_, _ = in.Discard(3)
	}
	return in
}

// rowParser parses the lines of one row.
type rowParser struct {
	cells []string
	open  bool   // a quoted cell goes on in the next line
	cell  []byte // of that cell
}

func (p *rowParser) reset() { p.cells, p.open, p.cell = p.cells[:0], false, p.cell[:0] }

// feed parses one more line. The error is a fault of the row.
func (p *rowParser) feed(line string) error {
	for {
		if !p.open && !strings.HasPrefix(line, `"`) {
			cell, rest, more := strings.Cut(line, ",")
			if strings.Contains(cell, `"`) {
				return errors.New(`a quote (") stands within a cell that does not begin with one`)
			}
			p.cells = append(p.cells, cell)
			if !more {
				return nil
			}
			line = rest
			continue
		}
		if !p.open {
			line, p.open, p.cell = line[1:], true, p.cell[:0]
		}
		rest, closed := p.quoted(line)
		switch {
		case !closed:
			return nil
		case rest == "":
			return nil
		case rest[0] != ',':
			return errors.New(`text follows the closing quote (") of a cell`)
		}
		line = rest[1:]
	}
}

// quoted takes a quoted cell up to its closing quote and returns what follows
// it; closed is false where the line ends first.
func (p *rowParser) quoted(line string) (rest string, closed bool) {
	for {
		text, after, found := strings.Cut(line, `"`)
		p.cell = append(p.cell, text...)
		switch {
		case !found:
			p.cell = append(p.cell, '\n')
			return "", false
		case strings.HasPrefix(after, `"`):
			p.cell = append(p.cell, '"')
			line = after[1:]
		default:
			p.cells = append(p.cells, string(p.cell))
			p.open = false
			return after, true
		}
	}
}
