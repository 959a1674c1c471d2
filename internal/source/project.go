package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode/utf16"
)

// Options say what the build adds to the sources.
type Options struct {
	// Defines are what it passes with -D: name to value. An empty value is an
	// empty macro; -DX alone is "1".
	Defines map[string]string
	// Undefined names macros that it does not pass, so that #ifdef is decided.
	Undefined []string
	// Kernels are the mangled names that will be asked for. Of other kernels
	// only the comments are kept. Nil: any can be asked for.
	Kernels []string
}

// Project is a set of sources, read.
type Project struct {
	fsys  fs.FS
	bases map[string][]string
	units []*unit
	index map[string][]*Kernel // by qualified name
	// unknown has the kernels in namespaces that only the build can name, by
	// their last name.
	unknown map[string][]*Kernel
	cABI    map[string][]*Kernel
	cache   map[cacheKey]Answer
	last    struct { // the template arguments that were read last
		mangled  string
		instance instance
	}
	notes []Note

	reading sync.Mutex       // of what follows: units are read at the same time
	files   map[string]*file // nil: not there
	found   map[includeKey]*file
}

// Scan reads the files, which are named from the root of fsys with slashes,
// and the project files that they include. An error is one of reading; what a
// file holds is never one.
func Scan(fsys fs.FS, files []string, opts Options) (*Project, error) {
	p := &Project{
		fsys: fsys, files: map[string]*file{}, bases: map[string][]string{}, found: map[includeKey]*file{},
		index: map[string][]*Kernel{}, unknown: map[string][]*Kernel{}, cABI: map[string][]*Kernel{}, cache: map[cacheKey]Answer{},
	}
	for _, f := range files {
		p.bases[path.Base(f)] = append(p.bases[path.Base(f)], f)
	}
	given, absent, err := defines(opts)
	if err != nil {
		return nil, err
	}
	w := &work{project: p, given: given, absent: absent, needed: bases(opts.Kernels)}
	if err := w.outline(inOrder(files)); err != nil {
		return nil, err
	}
	w.units()
	for _, j := range w.jobs {
		if u := j.unit; u != nil {
			p.notes = append(p.notes, u.notes...)
			if len(u.kernels) > 0 || len(u.orphans()) > 0 {
				p.units = append(p.units, u)
			}
		}
	}
	for _, f := range p.files {
		if f != nil {
			f.release()
		}
	}
	p.build()
	return p, nil
}

func inOrder(files []string) []string {
	files = slices.Clone(files)
	sort.Slice(files, func(i, j int) bool {
		if a, b := isHeader(files[i]), isHeader(files[j]); a != b {
			return b
		}
		return files[i] < files[j]
	})
	return slices.Compact(files)
}

// mayDeclare reports whether a header has a kernel, or a comment for occlint,
// of its own. What a header's macros make is seen where a source uses them.
func mayDeclare(text string) bool {
	for _, word := range []string{"__global__", "__launch_bounds__", "__maxnreg__", marker} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

func isHeader(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".cu", ".cpp", ".cc", ".cxx", ".c":
		return false
	}
	return true
}

func defines(opts Options) (map[string]*macro, map[string]bool, error) {
	given, absent := map[string]*macro{}, map[string]bool{}
	for name, value := range opts.Defines {
		m, ok := parseDefine(lex("", name+" "+value).tokens)
		if !ok || m.name != name && !strings.HasPrefix(name, m.name+"(") {
			return nil, nil, fmt.Errorf("%q is no name of a macro", name)
		}
		given[m.name] = m
	}
	for _, name := range opts.Undefined {
		absent[name] = true
	}
	return given, absent, nil
}

// read lexes a file once.
func (p *Project) read(name string) (*file, error) {
	if f, ok := p.files[name]; ok {
		if f == nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
		}
		return f, nil
	}
	p.files[name] = nil
	in, err := p.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close() //nolint:errcheck // only read
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	}
	text, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFileBytes {
		p.notes = append(p.notes, Note{Text: fmt.Sprintf("longer than %d MiB: the rest of the file is not read", maxFileBytes>>20)})
		p.notes[len(p.notes)-1].Place.File = name
		text = text[:maxFileBytes]
	}
	f := outlineOf(name, decode(text))
	p.files[name] = f
	return f, nil
}

// decode makes UTF-8 of UTF-16, which editors on Windows write with a byte
// order mark.
func decode(text []byte) string {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(text, []byte{0xFF, 0xFE}):
		order = binary.LittleEndian
	case bytes.HasPrefix(text, []byte{0xFE, 0xFF}):
		order = binary.BigEndian
	default:
		return string(text)
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 2; i+1 < len(text); i += 2 {
		units = append(units, order.Uint16(text[i:]))
	}
	return string(utf16.Decode(units))
}

// include finds the file that an #include names: beside the file that asks,
// else the one file of the project whose path ends in the name and directory.
func (p *Project) include(from *file, name string, quoted bool) *file {
	p.reading.Lock()
	defer p.reading.Unlock()
	key := includeKey{path.Dir(from.path), name, quoted}
	f, known := p.found[key]
	if !known {
		f = p.search(from, name, quoted)
		p.found[key] = f
	}
	return f
}

// includeKey is an #include: from which directory, of what, and whether it has
// quotes.
type includeKey struct {
	dir, name string
	quoted    bool
}

func (p *Project) search(from *file, name string, quoted bool) *file {
	name = strings.ReplaceAll(name, `\`, "/")
	if quoted {
		if f := p.try(path.Join(path.Dir(from.path), name)); f != nil {
			return f
		}
	}
	clean := path.Clean(name)
	for strings.HasPrefix(clean, "../") {
		clean = clean[3:]
	}
	// A name without a directory says too little: the file that the build
	// finds by it may be another one.
	var hits []string
	for _, candidate := range p.bases[path.Base(clean)] {
		if !strings.Contains(clean, "/") {
			break
		}
		if candidate == clean || strings.HasSuffix(candidate, "/"+clean) {
			hits = append(hits, candidate)
		}
	}
	// A name without a directory in angle brackets is the system's.
	for dir := path.Dir(from.path); len(hits) == 0 && (quoted || strings.Contains(clean, "/")); dir = path.Dir(dir) {
		for _, candidate := range []string{path.Join(dir, clean), path.Join(dir, "include", clean)} {
			if p.try(candidate) != nil {
				hits = append(hits, candidate)
			}
		}
		if dir == "." || dir == "/" {
			break
		}
	}
	if len(hits) != 1 {
		return nil
	}
	return p.try(hits[0])
}

func (p *Project) try(name string) *file {
	if !fs.ValidPath(name) {
		return nil
	}
	f, err := p.read(name)
	if err != nil {
		return nil
	}
	return f
}

// build makes the index.
func (p *Project) build() {
	for _, u := range p.units {
		for _, k := range u.kernels {
			if k.cABI {
				p.cABI[k.Name] = append(p.cABI[k.Name], k)
				continue
			}
			p.index[k.Name] = append(p.index[k.Name], k)
			for _, parts := range k.names {
				if slices.Contains(parts, unknownName) || slices.Contains(parts, listName) {
					last := parts[len(parts)-1]
					if !slices.Contains(p.unknown[last], k) {
						p.unknown[last] = append(p.unknown[last], k)
					}
				} else if name := strings.Join(parts, "::"); name != k.Name {
					p.index[name] = append(p.index[name], k)
				}
			}
		}
	}
}

// named finds the kernels that can have a qualified name. hidden says that
// they have it only if the build calls a namespace so.
func (p *Project) named(key string) (all []*Kernel, hidden bool) {
	if all = p.index[key]; len(all) > 0 {
		return all, false
	}
	hidden = true
	for _, k := range p.unknown[lastOf(key)] {
		for _, parts := range k.names {
			if fits(parts, strings.Split(key, "::")) {
				all, hidden = append(all, k), hidden && slices.Contains(parts, unknownName)
				break
			}
		}
	}
	return all, hidden
}

// fits reports whether a name is one that parts stand for: an unknown one may
// be several, as in -DNS=a::b, or none.
func fits(parts, name []string) bool {
	switch {
	case len(parts) == 0:
		return len(name) == 0
	case parts[0] == listName:
		return len(name) > 0 && fits(parts[1:], name[1:])
	case parts[0] != unknownName:
		return len(name) > 0 && parts[0] == name[0] && fits(parts[1:], name[1:])
	}
	for n := range min(len(name), maxNames) + 1 {
		if fits(parts[1:], name[n:]) {
			return true
		}
	}
	return false
}

// Notes lists what could not be read.
func (p *Project) Notes() []Note { return p.notes }

// Kernels lists every declaration found, in the order of files and lines.
func (p *Project) Kernels() []*Kernel {
	var all []*Kernel
	type key struct {
		pos  pos
		name string
	}
	seen := map[key]bool{}
	for _, u := range p.units {
		for _, k := range u.kernels {
			if !seen[key{k.pos, k.Name}] {
				all = append(all, k)
			}
			seen[key{k.pos, k.Name}] = true
		}
	}
	return all
}
