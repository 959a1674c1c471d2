package parse

import "bytes"

// Nearly all of a large log is whole records of one shape: an entry's
// Compiling, properties, stack and Used lines, one below the other, behind
// the same wrapper. record reads such a record in one go, with no message in
// between. It takes a record only when every byte is as expected and nothing
// is open; all else goes line by line through the lexer and the assembler,
// which must give the same result (TestWholeRecords, FuzzRead).
//
// On a log of 64 MB it makes the reader about twice as fast.

// frame is what stands around the messages of a line: the text before them,
// up to the message itself, and the text behind. Digits of times in front can
// differ.
type frame struct {
	head, stack     lead   // up to a message's text, and up to a stack line's number
	tail, stackTail []byte // from the message to the newline
	prefix          []byte // the plain text of head, without ptxas's own

	version int // counts what may have been changes
}

const stackIndent = "    "

// unwrapped makes f the frame of lines with nothing around the message but
// tail, a carriage return or nothing.
func (f *frame) unwrapped(tail string) {
	if f.head.n == len(ptxasHead) && f.head.want[0] == ptxasHead[0] && string(f.tail) == tail {
		return
	}
	f.version++
	f.head.learn([]byte(ptxasHead))
	f.tail = append(f.tail[:0], tail...)
	f.prefix = f.prefix[:0]
}

// unwrappedStack does the same for stack lines: some tools colour the others
// only.
func (f *frame) unwrappedStack(tail string) {
	if f.stack.n == len(stackIndent) && string(f.stackTail) == tail && f.stack.want[0] == ' ' {
		return
	}
	f.version++
	f.stack.learn([]byte(stackIndent))
	f.stackTail = append(f.stackTail[:0], tail...)
}

// learnHead takes a line of ptxas that is in some wrapper, and its message.
// The text behind the message is only learnt where it says nothing.
func (f *frame) learnHead(raw, text []byte, p *plainer) {
	i, ok := framed(raw, text)
	if !ok {
		return
	}
	before, _ := p.text(raw[:i])
	if !hasSuffix(before, ptxasHead) {
		return
	}
	prefix := bytes.Clone(before[:len(before)-len(ptxasHead)]) // the next text can have its place
	behind := raw[i+len(text):]
	if t, _ := p.text(behind); len(bytes.TrimRight(t, "\r")) > 0 {
		return
	}
	f.version++
	f.head.learn(raw[:i])
	f.prefix = prefix
	f.tail = append(f.tail[:0], behind...)
}

// learnStack takes a stack line that is in some wrapper, and its message.
func (f *frame) learnStack(raw, text []byte, p *plainer) {
	i, ok := framed(raw, text)
	if !ok || i == 0 || raw[i-1] != ' ' {
		return
	}
	behind := raw[i+len(text):]
	if t, _ := p.text(behind); len(bytes.TrimRight(t, "\r")) > 0 {
		return
	}
	f.version++
	f.stack.learn(raw[:i])
	f.stackTail = append(f.stackTail[:0], behind...)
}

// framed finds a message in its raw line.
func framed(raw, text []byte) (at int, ok bool) {
	if len(text) < 8 {
		return 0, false
	}
	at = bytes.Index(raw, text)
	return at, at >= 0 && at <= longestLead
}

// wholeRecord is what record reads.
type wholeRecord struct {
	name   []byte
	hash   uint64    // of name, in the log's table
	place  namePlace // of name there, where it has it already
	class  *class
	micros Count // the compile time
	lines  int
	length int // in bytes, with the last newline
	width  int // of the longest line, without its newline
}

// record reads a whole record at the start of b: of an entry the Compiling,
// properties, stack and Used lines, and the compile time where there is one; of
// a function the properties and stack lines. It returns false when b does not
// begin with one. What follows the record must be the head of another message
// in b: only then its last line can't go on there.
func (f *frame) record(b []byte, classes *classCache, w *wholeRecord) bool {
	i := start(b, 0, &f.head)
	switch {
	case i < 0:
		return false
	case hasAt(b, i, entryHead):
		return f.entry(b, i+len(entryHead), classes, w)
	case hasAt(b, i, propertiesHead):
		return f.function(b, i+len(propertiesHead), classes, w)
	}
	return false
}

// function reads a function's record. Its name begins at i.
func (f *frame) function(b []byte, i int, classes *classCache, w *wholeRecord) bool {
	name, i := restOfLine(b, i, f.tail)
	if i < 0 || len(name) == 0 || name[0] == '\'' || !plainName(name) {
		return false
	}
	at := start(b, i, &f.stack)
	if at < 0 {
		return false
	}
	stack, end := restOfLine(b, at, f.stackTail)
	if end < 0 || start(b, end, &f.head) < 0 {
		return false
	}
	if w.class = classes.find(nil, stack, nil); w.class == nil {
		return false
	}
	w.name, w.micros, w.lines, w.length = name, 0, 2, end
	w.width = max(width(0, i, f.tail), width(i, end, f.stackTail))
	return true
}

// entry reads an entry's record. Its name begins at i.
func (f *frame) entry(b []byte, i int, classes *classCache, w *wholeRecord) bool {
	name, arch, props := f.compiling(b, i)
	if props < 0 {
		return false
	}
	at := f.properties(b, props, name)
	if at < 0 {
		return false
	}
	from := start(b, at, &f.stack)
	if from < 0 {
		return false
	}
	stack, last := restOfLine(b, from, f.stackTail)
	if last < 0 {
		return false
	}
	from = start(b, last, &f.head)
	if from < 0 || !hasAt(b, from, "Used ") {
		return false
	}
	used, end := restOfLine(b, from, f.tail)
	if end < 0 {
		return false
	}
	next := start(b, end, &f.head)
	if next < 0 {
		return false
	}
	if w.class = classes.find(arch, stack, used); w.class == nil {
		return false
	}
	w.name, w.micros, w.lines, w.length = name, 0, 4, end
	w.width = max(width(0, props, f.tail), width(props, at, f.tail), width(at, last, f.stackTail), width(last, end, f.tail))
	f.time(b, end, next, w)
	return true
}

// compiling reads a Compiling line, the name of which begins at i. next is
// where the next line begins, -1 when it is no such line.
func (f *frame) compiling(b []byte, i int) (name, arch []byte, next int) {
	n := bytes.IndexByte(b[i:], '\'')
	if n <= 0 || !hasAt(b, i+n, entryArch) {
		return nil, nil, -1
	}
	name = b[i : i+n]
	i += n + len(entryArch)
	n = bytes.IndexByte(b[i:min(len(b), i+16)], '\'')
	if n <= 0 {
		return nil, nil, -1
	}
	arch = b[i : i+n]
	if i = end(b, i+n+1, f.tail); i < 0 || !plainName(name) || !plainName(arch) {
		return nil, nil, -1
	}
	return name, arch, i
}

// properties reads the properties line of a name at i. It returns where the
// next line begins, -1 when it is no such line.
func (f *frame) properties(b []byte, i int, name []byte) (next int) {
	i = start(b, i, &f.head)
	if i < 0 || !hasAt(b, i, propertiesHead) {
		return -1
	}
	i += len(propertiesHead)
	if len(b)-i < len(name) || !bytes.Equal(b[i:i+len(name)], name) {
		return -1
	}
	return end(b, i+len(name), f.tail)
}

// time takes the compile time behind a record. It stands in the line at i,
// whose message is at next.
func (f *frame) time(b []byte, i, next int, w *wholeRecord) {
	if !hasAt(b, next, timeHead) {
		return
	}
	text, end := restOfLine(b, next, f.tail)
	if end < 0 || start(b, end, &f.head) < 0 {
		return
	}
	micros, n, whole := millis(text, len(timeHead))
	if !whole || n != len(text) {
		return
	}
	w.micros, w.lines, w.length = micros, w.lines+1, end
	w.width = max(w.width, width(i, end, f.tail))
}

// width is the length of a line without its end: the newline, and a carriage
// return if the tail has one.
func width(start, end int, tail []byte) int {
	if n := len(tail); n > 0 && tail[n-1] == '\r' {
		end--
	}
	return end - 1 - start
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

// start returns where the message of the line at i begins, -1 when the line
// begins otherwise than expected.
func start(b []byte, i int, l *lead) int {
	if len(b)-i < longestLead || !l.matches(b[i:]) {
		return -1
	}
	return i + l.n
}

// end returns where the line ends whose message ends at i, -1 when anything
// else than the expected stands behind the message.
func end(b []byte, i int, tail []byte) int {
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

func (f *frame) equal(g *frame) bool {
	return f.head == g.head && f.stack == g.stack && bytes.Equal(f.tail, g.tail) && bytes.Equal(f.stackTail, g.stackTail)
}

func (f *frame) clone() *frame {
	c := *f
	c.tail, c.stackTail = bytes.Clone(f.tail), bytes.Clone(f.stackTail)
	c.prefix = nil // the Reader's own
	return &c
}
