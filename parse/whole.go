package parse

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/msg"
	"github.com/occlint/occlint/parse/internal/scan"
)

// Nearly all of a large log is whole records of one shape: an entry's
// Compiling, properties, stack and Used lines, one below the other, behind
// the same wrapper. A finder reads such a record in one go, with no message in
// between. It takes a record only when every byte is as expected and nothing
// is open; all else goes line by line through the lexer and the assembler,
// which must give the same result (TestWholeRecords, FuzzRead).
//
// On a log of 64 MB it makes the reader about twice as fast.

// A finder finds records that stand whole within the margins of the lines
// before them.
type finder struct {
	margins  *msg.Margins
	wordings *wordingCache
}

// wholeRecord is what a finder finds.
type wholeRecord struct {
	name    []byte
	hash    uint64    // of name, in the log's table
	place   namePlace // of name there, where it has it already
	wording *wording
	micros  Count // the compile time
	lines   int
	length  int // in bytes, with the last newline
	width   int // of the longest line, without its newline
}

// record reads a whole record at the start of b: of an entry the Compiling,
// properties, stack and Used lines, and the compile time where there is one; of
// a function the properties and stack lines. It returns false when b does not
// begin with one. What follows the record must be the head of another message
// in b: only then its last line can't go on there.
func (f *finder) record(b []byte, w *wholeRecord) bool {
	i := messageAt(b, 0, &f.margins.Left)
	switch {
	case i < 0:
		return false
	case scan.HasAt(b, i, msg.EntryText):
		return f.entry(b, i+len(msg.EntryText), w)
	case scan.HasAt(b, i, msg.PropertiesText):
		return f.function(b, i+len(msg.PropertiesText), w)
	}
	return false
}

// function reads a function's record. Its name begins at i.
func (f *finder) function(b []byte, i int, w *wholeRecord) bool {
	name, i := restOfLine(b, i, f.margins.Right)
	if i < 0 || len(name) == 0 || name[0] == '\'' || !msg.PlainName(name) {
		return false
	}
	at := messageAt(b, i, &f.margins.StackLeft)
	if at < 0 {
		return false
	}
	stack, end := restOfLine(b, at, f.margins.StackRight)
	if end < 0 || messageAt(b, end, &f.margins.Left) < 0 {
		return false
	}
	if w.wording = f.wordings.find(nil, stack, nil); w.wording == nil {
		return false
	}
	w.name, w.micros, w.lines, w.length = name, 0, 2, end
	w.width = max(width(0, i, f.margins.Right), width(i, end, f.margins.StackRight))
	return true
}

// entry reads an entry's record. Its name begins at i.
func (f *finder) entry(b []byte, i int, w *wholeRecord) bool {
	name, arch, props := f.compiling(b, i)
	if props < 0 {
		return false
	}
	at := f.properties(b, props, name)
	if at < 0 {
		return false
	}
	from := messageAt(b, at, &f.margins.StackLeft)
	if from < 0 {
		return false
	}
	stack, last := restOfLine(b, from, f.margins.StackRight)
	if last < 0 {
		return false
	}
	from = messageAt(b, last, &f.margins.Left)
	if from < 0 || !scan.HasAt(b, from, "Used ") {
		return false
	}
	used, end := restOfLine(b, from, f.margins.Right)
	if end < 0 {
		return false
	}
	next := messageAt(b, end, &f.margins.Left)
	if next < 0 {
		return false
	}
	if w.wording = f.wordings.find(arch, stack, used); w.wording == nil {
		return false
	}
	w.name, w.micros, w.lines, w.length = name, 0, 4, end
	w.width = max(width(0, props, f.margins.Right), width(props, at, f.margins.Right), width(at, last, f.margins.StackRight), width(last, end, f.margins.Right))
	f.time(b, end, next, w)
	return true
}

// compiling reads a Compiling line, the name of which begins at i. next is
// where the next line begins, -1 when it is no such line.
func (f *finder) compiling(b []byte, i int) (name, arch []byte, next int) {
	n := bytes.IndexByte(b[i:], '\'')
	if n <= 0 || !scan.HasAt(b, i+n, msg.EntryArch) {
		return nil, nil, -1
	}
	name = b[i : i+n]
	i += n + len(msg.EntryArch)
	n = bytes.IndexByte(b[i:min(len(b), i+16)], '\'')
	if n <= 0 {
		return nil, nil, -1
	}
	arch = b[i : i+n]
	if i = endOfLine(b, i+n+1, f.margins.Right); i < 0 || !msg.PlainName(name) || !msg.PlainName(arch) || !msg.PlainArch(arch) {
		return nil, nil, -1
	}
	return name, arch, i
}

// properties reads the properties line of a name at i. It returns where the
// next line begins, -1 when it is no such line.
func (f *finder) properties(b []byte, i int, name []byte) (next int) {
	i = messageAt(b, i, &f.margins.Left)
	if i < 0 || !scan.HasAt(b, i, msg.PropertiesText) {
		return -1
	}
	i += len(msg.PropertiesText)
	if len(b)-i < len(name) || !bytes.Equal(b[i:i+len(name)], name) {
		return -1
	}
	return endOfLine(b, i+len(name), f.margins.Right)
}

// time takes the compile time behind a record. It stands in the line at i,
// whose message is at next.
func (f *finder) time(b []byte, i, next int, w *wholeRecord) {
	if !scan.HasAt(b, next, msg.CompileTimeText) {
		return
	}
	text, end := restOfLine(b, next, f.margins.Right)
	if end < 0 || messageAt(b, end, &f.margins.Left) < 0 {
		return
	}
	micros, ok := msg.ReadCompileTime(text)
	if !ok {
		return
	}
	w.micros, w.lines, w.length = count(micros), w.lines+1, end
	w.width = max(w.width, width(i, end, f.margins.Right))
}

// width is the length of a line without its end: the newline, and a carriage
// return if the tail has one.
func width(from, end int, right []byte) int {
	if n := len(right); n > 0 && right[n-1] == '\r' {
		end--
	}
	return end - 1 - from
}

// restOfLine returns the text from i to the end of its line, without the tail
// that it must have, and where the next line begins; -1 when it has another.
func restOfLine(b []byte, i int, tail []byte) (text []byte, next int) {
	n := bytes.IndexByte(b[i:], '\n')
	if n < 0 {
		return nil, -1
	}
	line := b[i : i+n]
	text = bytes.TrimSuffix(line, tail)
	if len(text)+len(tail) != len(line) {
		return nil, -1
	}
	return text, i + n + 1
}

// messageAt returns where the message of the line at i begins, -1 when the line
// begins otherwise than expected.
func messageAt(b []byte, i int, wrapper *logtext.Wrapper) int {
	if len(b)-i < logtext.LongestWrapper || !wrapper.Matches(b[i:]) {
		return -1
	}
	return i + wrapper.Len()
}

// endOfLine returns where the line ends whose message ends at i, -1 when anything
// else than the expected stands behind the message.
func endOfLine(b []byte, i int, tail []byte) int {
	if n := len(tail); n > 0 {
		if len(b)-i < n || !bytes.Equal(b[i:i+n], tail) {
			return -1
		}
		i += n
	}
	if i < len(b) && b[i] == '\n' {
		return i + 1
	}
	return -1
}
