package parse

import (
	"io"
	"iter"
	"slices"
)

// Log is what one or several logs state, in the order of appearance. Its
// kernels are stored in little room: of nearly all of them a large log has only
// a name, a Class that many share, and a line. The zero value states nothing.
type Log struct {
	Compilations []Compilation
	Remarks      []Remark
	Faults       []Fault

	records records
}

// Read reads one log to its end. file is the name that places carry; it is not
// opened. What is wrong with the log is in its Faults; the error is of I/O only,
// and what was read before it is returned with it.
func Read(r io.Reader, file string, opts ...Option) (*Log, error) {
	l := &Log{}
	return l, l.Read(r, file, opts...)
}

// Read appends what one more log states, as the function Read reads it. The
// indexes of compilations count through the whole Log.
func (l *Log) Read(r io.Reader, file string, opts ...Option) error {
	rd := newReader(r, l, file, opts)
	rd.readAll()
	return rd.err
}

// Len is the number of kernels and functions.
func (l *Log) Len() int { return int(l.records.rows.n) }

// Kernel returns the kernel or function with an index.
func (l *Log) Kernel(index int) Kernel { return l.records.kernel(int32(index)) }

// Kernels lists the kernels and functions with their indexes.
func (l *Log) Kernels() iter.Seq2[int, Kernel] {
	return func(yield func(int, Kernel) bool) {
		for i := range l.records.rows.n {
			if !yield(int(i), l.records.kernel(i)) {
				return
			}
		}
	}
}

// Classes lists the classes that kernels and functions have, each once.
func (l *Log) Classes() iter.Seq[*Class] { return slices.Values(l.records.classes) }

// Add appends kernels and functions that were not read from a log. Those of one
// call are held against each other, as those of one log are: of one kernel in
// one compilation whose numbers differ, each becomes Conflicting. Their classes
// are copied.
func (l *Log) Add(kernels ...Kernel) {
	r := &l.records
	r.prepare()
	first := r.rows.n
	for i := range kernels {
		k := &kernels[i]
		if at := (Place{File: k.Place.File, Column: k.Place.Column}); len(r.origins) == 0 || r.origins[len(r.origins)-1].at != at {
			r.begin(at)
		}
		d, _ := r.addDraft()
		if k.Class != nil {
			d.Class = *k.Class
		}
		d.Name, d.Parent, d.Place = k.Name, k.Parent, k.Place
		d.CompileMicros, d.Compilation = k.CompileMicros, k.Compilation
	}
	r.markConflicts(first, nil)
	r.settle(first)
}

// Append appends what another log states. The indexes of its compilations must
// count through that log alone.
func (l *Log) Append(other *Log) {
	first := len(l.Compilations)
	moved := func(index int) int {
		if index < 0 {
			return index
		}
		return index + first
	}
	for _, c := range other.Compilations {
		c.Index += first
		l.Compilations = append(l.Compilations, c)
	}
	for _, m := range other.Remarks {
		m.Compilation = moved(m.Compilation)
		l.Remarks = append(l.Remarks, m)
	}
	list := make([]Kernel, 0, other.Len())
	for _, k := range other.Kernels() {
		k.Compilation = moved(k.Compilation)
		list = append(list, k)
	}
	l.Add(list...)
	l.Faults = append(l.Faults, other.Faults...)
}

// Entries lists name and architecture of the entries in the order of the log,
// as often as it has them. Records without a name are left out.
func (l *Log) Entries() iter.Seq2[string, string] {
	return func(yield func(name, arch string) bool) {
		for i := range l.records.rows.n {
			c := l.records.classOf(i)
			if c.Kind == Function {
				continue
			}
			if name := l.records.nameOf(i); name != "" && !yield(name, c.Arch) {
				return
			}
		}
	}
}

// Names lists the names of the records in the order of the log, as often as it
// has them.
func (l *Log) Names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range l.records.rows.n {
			if name := l.records.nameOf(i); name != "" && !yield(name) {
				return
			}
		}
	}
}
