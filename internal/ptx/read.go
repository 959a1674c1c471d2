package ptx

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

// Read returns the entries of PTX, in order. It reads what nvcc prints, also
// several modules one after the other: the directives stand between an
// entry's parameters and its body. file is how places and errors name the
// text.
//
// An error is one of reading, of a directive whose value is no number, of text
// without the .version that PTX begins with, or of a NUL byte, which says that
// a binary was given for PTX. A text that is cut gives the entries up to there.
func Read(in io.Reader, file string) ([]Entry, error) {
	r := reader{scanner: newScanner(in, file), module: newModule()}
	for r.fault == nil {
		t, ok := r.scanner.next()
		if !ok {
			r.fault = r.scanner.fault()
			break
		}
		if t.word == nil {
			r.punct(t.punct)
		} else {
			r.word(t)
		}
	}
	if r.fault == nil {
		r.endModule()
	}
	if r.fault == nil && !r.version {
		r.fault = fmt.Errorf("%s: it is no PTX: there is no .version directive", file)
	}
	return r.entries, r.fault
}

// kind is what a statement at the top level of a module declares.
type kind int

const (
	nothing kind = iota
	entry
	function
	variable
	alias
)

// reader follows the statements of a module.
type reader struct {
	scanner *scanner
	module  module
	target  string
	version bool
	entries []Entry
	fault   error

	// The statement that is being read.
	kind          kind
	owner         int  // the name that it declares, -1 before that was seen
	extern        bool // .extern was seen
	shared        bool // .shared was seen
	array         shared
	opened        bool // the last token was the bracket behind the array's name
	braces, round int
	inBody        bool // of an entry or function
	calling       bool // a call was read, and who is called comes next
	callRound     int  // the round brackets that the call stands in

	// The directive that is being read.
	directive     string
	args          []string
	place         parse.Place
	waitForTarget bool
}

func (r *reader) at(t token) parse.Place {
	return parse.Place{File: r.scanner.file, Line: t.line, Column: t.column}
}

func (r *reader) word(t token) {
	r.opened = false
	switch first := t.word[0]; {
	case first == '.':
		r.dotted(t)
	case r.waitForTarget:
		r.waitForTarget, r.target = false, string(t.word)
	case first == '%':
		if r.calling && r.round == r.callRound && r.inBody && r.owner >= 0 {
			r.module.bodies[r.module.declare(behindPointer)] = false
			r.module.use(r.owner, []byte(behindPointer))
		}
		r.callee()
	case first >= '0' && first <= '9':
		r.argument(t)
	default:
		if r.directive != "" {
			r.argument(t)
		}
		r.name(t)
		if r.callee(); r.inBody && string(t.word) == "call" {
			r.calling, r.callRound = true, r.round
		}
	}
}

// callee ends the search for who is called: names in brackets before it take
// what it returns.
func (r *reader) callee() {
	r.calling = r.calling && r.round > r.callRound
}

// dotted takes a directive, or the suffix of an instruction.
func (r *reader) dotted(t token) {
	if string(t.word) == ".version" { // whatever is open
		r.endModule()
		r.version = true
		return
	}
	if r.braces > 0 {
		r.storage(t.word)
		return
	}
	r.finish()
	switch word := string(t.word); word {
	case ".target":
		r.endStatement()
		r.waitForTarget = true
	case ".address_size":
		r.endStatement()
	case ".entry":
		r.kind, r.owner = entry, -1
	case ".func":
		r.kind, r.owner = function, -1
	case ".alias":
		r.kind, r.owner = alias, -1
	case ".global", ".const":
		if r.kind == nothing {
			r.kind, r.owner = variable, -1
		}
	default:
		r.storage(t.word)
		if r.kind == entry && r.owner >= 0 && r.round == 0 {
			r.directive, r.place = word, r.at(t)
		}
	}
}

// storage notes what says that an array is dynamic shared memory.
func (r *reader) storage(word []byte) {
	switch string(word) {
	case ".extern":
		r.extern = true
	case ".shared":
		r.shared = true
	}
}

// name takes an identifier: of what is being declared, or one that is used.
func (r *reader) name(t token) {
	switch {
	case r.extern && r.shared && !r.inHead():
		r.array = shared{string(t.word), r.at(t)}
	case r.owner < 0 && r.kind != nothing && r.round == 0:
		r.owner = r.module.declare(string(t.word))
		if r.kind == entry {
			r.entries = append(r.entries, Entry{Name: string(t.word), Target: r.target, Place: r.at(t)})
			r.module.entry(r.owner, len(r.entries)-1)
		}
		if r.kind == function || r.kind == alias {
			r.module.bodies[r.owner] = r.module.bodies[r.owner] || r.kind == alias
		}
	case r.owner >= 0 && (r.braces > 0 || r.kind == alias || r.kind == variable):
		r.module.use(r.owner, t.word)
	}
}

// body notes that a function has one.
func (r *reader) body() {
	if r.kind == function && r.owner >= 0 {
		r.module.bodies[r.owner] = true
	}
}

// inHead reports whether an entry's or function's head is being read, where a
// parameter's pointer may be said to be .shared.
func (r *reader) inHead() bool {
	return r.braces == 0 && (r.kind == entry || r.kind == function)
}

func (r *reader) punct(c byte) {
	opened := r.opened
	r.opened = false
	switch c {
	case '[':
		r.opened = r.array.name != ""
	case ']':
		if opened {
			r.module.dynamic(r.array)
		}
		r.array = shared{}
	case '(':
		r.finish()
		r.round++
	case ')':
		r.round = max(0, r.round-1)
	case '{':
		r.finish()
		if r.braces == 0 {
			r.inBody = r.kind == entry || r.kind == function
			r.body()
		}
		r.braces++
	case '}':
		r.braces = max(0, r.braces-1)
		if r.braces == 0 && (r.inBody || r.kind == nothing) {
			r.endStatement()
		}
	case ';':
		r.finish()
		r.calling = false
		if r.braces == 0 {
			r.endStatement()
		}
		r.extern, r.shared, r.array = false, false, shared{}
	}
}

func (r *reader) endStatement() {
	r.kind, r.owner, r.round, r.inBody, r.calling = nothing, -1, 0, false, false
	r.extern, r.shared, r.array = false, false, shared{}
	r.directive, r.args, r.waitForTarget = "", nil, false
}

// endModule marks the entries that use dynamic shared memory.
func (r *reader) endModule() {
	if r.braces > 0 || r.kind == entry {
		r.fault = fmt.Errorf("%s: the PTX is cut: it ends inside %s", r.scanner.file, r.open())
	}
	r.endStatement()
	r.braces = 0
	r.module.mark(r.entries)
	r.module = newModule()
}

// open names what is being read.
func (r *reader) open() string {
	if r.kind == entry && r.owner >= 0 {
		return strconv.Quote(r.entries[len(r.entries)-1].Name)
	}
	return "a declaration"
}

func (r *reader) argument(t token) {
	if r.directive != "" && r.round == 0 && len(r.args) < 3 {
		r.args = append(r.args, string(t.word))
	}
}

// finish takes the directive that was read when it says something of the
// entry whose head this is.
func (r *reader) finish() {
	word, args := r.directive, r.args
	r.directive, r.args = "", nil
	switch word {
	case ".maxntid", ".reqntid", ".minnctapersm", ".maxnctapersm", ".maxnreg", ".reqnctapercluster", ".maxclusterrank":
	default:
		return
	}
	e := &r.entries[len(r.entries)-1]
	dims, product := [3]int{1, 1, 1}, 1
	ok := len(args) > 0
	for i, a := range args {
		n, err := strconv.ParseUint(a, 0, 16)
		ok = ok && err == nil && n > 0
		dims[i] = int(max(n, 1))
		product *= dims[i]
	}
	if !ok || product > 1<<20 {
		r.fault = fmt.Errorf("%s:%d:%d: %s %s of %q is no number that PTX allows", r.place.File, r.place.Line, r.place.Column, word, strings.Join(args, ", "), e.Name)
		return
	}
	switch word {
	case ".maxnreg":
		e.MaxRegisters, e.MaxRegPlace = product, r.place
	case ".reqnctapercluster":
		e.Cluster = dims
	case ".maxclusterrank":
		e.MaxClusterBlocks = product
	case ".maxntid", ".reqntid", ".minnctapersm":
		e.bound(word, product, word+" "+strings.Join(args, ", "), r.place)
	}
}

// bound takes one of the directives that are launch bounds together.
func (e *Entry) bound(word string, n int, text string, place parse.Place) {
	switch word {
	case ".maxntid":
		e.MaxThreads = n
	case ".reqntid":
		e.Threads = n
	default:
		e.MinBlocks = n
	}
	if e.Bounds.Line == 0 || word == ".maxntid" || word == ".reqntid" && e.MaxThreads == 0 {
		e.Bounds = place
	}
	e.BoundsText = strings.TrimSpace(e.BoundsText + " " + text)
}
