package source

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

// unit is one source file with all that it includes: what the compiler sees
// at once.
type unit struct {
	path    string
	root    *scope
	kernels []*Kernel
	missing []include
	dynamic map[string]bool   // extern __shared__ arrays of the file
	bodies  map[string][]body // of functions, by name
	touches map[string]bool   // whether a function touches dynamic shared memory
	depth   int
	notes   []Note
	faults  []Fault
	dropped []span   // text that conditions leave out
	broken  bool     // the rest of the file was given up
	wanted  wanted   // names that its kernels' bounds ask for
	sharing []string // functions that touch dynamic shared memory
}

// Note is something about a source file that people should know: a part of it
// could not be read.
type Note struct {
	Place parse.Place
	Text  string
}

func (u *unit) note(p pos, text string) {
	if len(u.notes) < 20 {
		u.notes = append(u.notes, Note{p.place(), text})
	}
}

// missingNote says that an include is missing, for messages about names that
// are not defined.
func (u *unit) missingNote() string {
	for _, m := range u.missing {
		if !strings.ContainsAny(m.name, "./") || isToolkitHeader(m.name) {
			continue // <vector>, <cuda_runtime.h>
		}
		return fmt.Sprintf(" (%s, included at %s, is not among them)", strconv.Quote(shortText(m.name)), m.pos)
	}
	return ""
}

// undefinedNote says what may give a name that is not defined a value: for one
// that people write as a macro, the define; else a header that is missing.
func (u *unit) undefinedNote(name string) string {
	if looksLikeMacro(name) && !strings.HasPrefix(name, "__") {
		return ": --define " + name + "=… would settle it"
	}
	return u.missingNote()
}

// isToolkitHeader reports whether a header comes with the toolkit or the
// system, so that its absence explains nothing.
func isToolkitHeader(name string) bool {
	base := path.Base(name)
	for _, prefix := range []string{"cuda", "cu", "nv", "std", "sys/", "math", "cooperative_groups", "device_", "vector_", "assert.h", "float.h", "limits.h", "string.h", "time.h", "unistd.h", "mma.h", "sm_"} {
		if strings.HasPrefix(name, prefix) || strings.HasPrefix(base, "cuda_") {
			return true
		}
	}
	return false
}

// scanUnit reads one source file.
func scanUnit(f *file, p *preprocessor, needed map[string]bool) *unit {
	u := &unit{
		path: f.path, root: newScope(namespaceScope, "", nil),
		dynamic: map[string]bool{}, bodies: map[string][]body{}, touches: map[string]bool{},
	}
	p.file(f)
	if p.failed() {
		u.note(p.last, p.problem+": the rest of the file is not read")
		u.broken = true
	}
	u.missing, u.dropped = p.missing, p.dropped
	s := &scanner{unit: u, toks: p.out, scope: u.root}
	s.run()
	u.attachComments(p.files)
	for name := range u.bodies {
		if !strings.HasPrefix(name, ".") && u.touchesShared(name, s.toks) {
			u.sharing = append(u.sharing, name)
		}
	}
	// Bodies are of no use any more.
	u.bodies, u.touches, u.dynamic, u.dropped = nil, nil, nil, nil
	if needed != nil {
		u.kernels = slices.DeleteFunc(u.kernels, func(k *Kernel) bool { return k.notes == nil && !needed[lastOf(k.Name)] })
	}
	u.wanted = u.prune()
	return u
}

// place is p for people.
func (p pos) place() parse.Place {
	if p.file == nil {
		return parse.Place{}
	}
	return parse.Place{File: p.file.path, Line: int(p.line), Column: int(p.col)}
}

// String is "file:line".
func (p pos) String() string {
	if p.file == nil {
		return "the build's defines"
	}
	return p.file.path + ":" + strconv.Itoa(int(p.line))
}

// written returns the text at p as it stands in the file: a name, and the
// brackets behind it.
func (p pos) written() string {
	if p.file == nil {
		return ""
	}
	if known, ok := p.file.written[p.offset]; ok {
		return known
	}
	out := p.read()
	if p.file.written == nil {
		p.file.written = map[int32]string{}
	}
	p.file.written[p.offset] = out
	return out
}

func (p pos) read() string {
	text := p.file.text[p.offset:]
	text = text[:min(len(text), 2000)]
	toks := lex("", text).tokens
	if len(toks) == 0 {
		return ""
	}
	end := 0
	if len(toks) > 1 && toks[1].is("(") {
		if end = matching(toks, 1); end < 0 {
			end = 0
		}
	}
	out := spell(toks[:end+1])
	if len(out) > 160 {
		out = out[:160] + "…"
	}
	return strings.ToValidUTF8(out, "\ufffd")
}
