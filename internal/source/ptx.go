package source

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

// Entry is what PTX says about one kernel. Numbers are 0 where PTX does not
// have the directive.
type Entry struct {
	Name   string // mangled
	Target string // "sm_90a", as the .target directive has it
	Place  parse.Place

	MaxThreads   int         // .maxntid, its dimensions multiplied
	Threads      int         // .reqntid, multiplied: the block can have no other size
	MinBlocks    int         // .minnctapersm
	MaxRegisters int         // .maxnreg
	Bounds       parse.Place // of .maxntid or .reqntid
	BoundsText   string      // ".maxntid 256 .minnctapersm 4", as far as it is there
	MaxRegPlace  parse.Place
}

// maxPTXLine is the longest line that is read whole; data in PTX can be longer
// and holds no directive.
const maxPTXLine = 64 << 10

// ReadPTX returns the entries of a PTX file, in order. It reads what nvcc
// prints: the directives stand between an entry's parameters and its body. An
// error is one of reading, of a directive whose value is no number, or of a
// file without the .version that PTX begins with.
func ReadPTX(r io.Reader, file string) ([]Entry, error) {
	p := ptxReader{file: file}
	lines := bufio.NewReaderSize(r, maxPTXLine)
	for {
		line, err := lines.ReadSlice('\n')
		p.line++
		p.text(string(line))
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = lines.ReadSlice('\n')
		}
		if p.fault != nil {
			return p.entries, p.fault
		}
		if errors.Is(err, io.EOF) {
			if !p.version {
				return p.entries, fmt.Errorf("%s: it is no PTX: there is no .version directive", file)
			}
			return p.entries, nil
		}
		if err != nil {
			return p.entries, fmt.Errorf("%s: %w", file, err)
		}
	}
}

type ptxReader struct {
	file    string
	line    int
	comment bool // inside /* */
	version bool // .version was seen
	target  string
	named   bool // .entry was seen, and its name comes next
	open    bool // between an entry's name and its body
	depth   int  // of round brackets
	word    string
	args    []string // of the directive being read
	place   parse.Place
	entries []Entry
	fault   error
}

// text reads one line.
func (p *ptxReader) text(line string) {
	for i := 0; i < len(line) && p.fault == nil; {
		rest := line[i:]
		if p.comment {
			end := strings.Index(rest, "*/")
			if end < 0 {
				return
			}
			p.comment = false
			i += end + 2
			continue
		}
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "//"):
			return
		case strings.HasPrefix(rest, "/*"):
			p.comment = true
			i += 2
		case c == '"':
			end := strings.IndexByte(rest[1:], '"')
			if end < 0 {
				return
			}
			i += end + 2
		case isPTXWord(c) || c == '.':
			n := 1
			for n < len(rest) && isPTXWord(rest[n]) {
				n++
			}
			p.token(rest[:n], i+1)
			i += n
		default:
			p.punct(c)
			i++
		}
	}
}

func isPTXWord(c byte) bool {
	return isIdentPart(c) || c == '%'
}

func (p *ptxReader) token(word string, column int) {
	if strings.HasPrefix(word, ".") {
		p.finish()
		p.word, p.args = word, nil
		p.place = parse.Place{File: p.file, Line: p.line, Column: column}
		p.version = p.version || word == ".version"
		if word == ".entry" {
			p.named, p.open = true, false
		}
		return
	}
	switch {
	case p.named:
		p.named, p.open, p.depth = false, true, 0
		p.entries = append(p.entries, Entry{Name: word, Target: p.target, Place: parse.Place{File: p.file, Line: p.line, Column: column}})
		p.word = ""
	case p.word == ".target" && p.args == nil:
		p.target = word
		p.args = []string{word}
	case p.word != "" && p.depth == 0 && len(p.args) < 3:
		p.args = append(p.args, word)
	}
}

func (p *ptxReader) punct(c byte) {
	switch c {
	case '(':
		p.finish()
		p.depth++
	case ')':
		p.depth = max(0, p.depth-1)
	case '{', ';', '}':
		p.finish()
		p.open = false
	}
}

// finish takes the directive that was read when it declares something.
func (p *ptxReader) finish() {
	word, args := p.word, p.args
	p.word, p.args = "", nil
	if !p.open || p.depth > 0 || len(p.entries) == 0 {
		return
	}
	e := &p.entries[len(p.entries)-1]
	switch word {
	case ".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg":
	default:
		return
	}
	product, ok := 1, len(args) > 0
	for _, a := range args {
		n, err := strconv.ParseUint(a, 0, 16)
		ok = ok && err == nil && n > 0
		product *= int(max(n, 1))
	}
	if !ok || product > 1<<20 {
		p.fault = fmt.Errorf("%s:%d:%d: %s %s of %q is no number that PTX allows", p.file, p.place.Line, p.place.Column, word, strings.Join(args, ", "), e.Name)
		return
	}
	text := word + " " + strings.Join(args, ", ")
	switch word {
	case ".maxntid":
		e.MaxThreads = product
	case ".reqntid":
		e.Threads = product
	case ".minnctapersm":
		e.MinBlocks = product
	case ".maxnreg":
		e.MaxRegisters, e.MaxRegPlace = product, p.place
		return
	default:
		return
	}
	if e.Bounds.Line == 0 || word == ".maxntid" || word == ".reqntid" && e.MaxThreads == 0 {
		e.Bounds = p.place
	}
	e.BoundsText = strings.TrimSpace(e.BoundsText + " " + text)
}
