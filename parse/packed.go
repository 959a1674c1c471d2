package parse

import (
	"io"
	"iter"
)

// Packed is what one or several logs state, in the order of appearance, with
// the kernels stored in little room: a kernel that was read whole takes 20
// bytes beside its name, where Log.Kernels takes 168. The zero value states
// nothing.
type Packed struct {
	Compilations []Compilation
	Remarks      []Remark
	Faults       []Fault

	records records
}

// Read appends the records of one log, as Log.Read does.
func (p *Packed) Read(r io.Reader, file string, opts ...Option) error {
	rd := newReader(r, p, file, opts)
	rd.readAll()
	return rd.err
}

// Log returns the same with all kernels listed.
func (p *Packed) Log() *Log {
	return &Log{Kernels: p.kernels(), Compilations: p.Compilations, Remarks: p.Remarks, Faults: p.Faults}
}

func (p *Packed) kernels() []Kernel {
	if p.records.rows.n == 0 {
		return nil
	}
	list := make([]Kernel, p.records.rows.n)
	for i := range list {
		list[i] = p.records.kernel(int32(i))
	}
	return list
}

// Len is the number of kernels and functions.
func (p *Packed) Len() int { return int(p.records.rows.n) }

// Kernel returns the kernel or function with an index.
func (p *Packed) Kernel(index int) Kernel { return p.records.kernel(int32(index)) }

// Names is the number of different names among the plain records.
func (p *Packed) Names() int { return int(p.records.names.places.n) }

// Name returns one of them.
func (p *Packed) Name(number int) string { return p.records.names.name(int32(number)) }

// FindName returns the number of a name; ok is false when no plain record has
// it.
func (p *Packed) FindName(name string) (number int, ok bool) {
	n := p.records.names.find(name)
	return int(n), n >= 0
}

// Classes is the number of classes of plain records.
func (p *Packed) Classes() int { return len(p.records.classes) }

// Class returns what the records of one class have alike: everything but the
// name, the compile time, the place and the compilation. It is shared; don't
// change it.
func (p *Packed) Class(number int) *Kernel { return &p.records.classes[number].kernel }

// Plain returns the number of the name and the class of a plain record: one
// that is whole and without defects, of an entry that ptxas compiled or of a
// function that it compiled for an entry, in a compilation that has no other
// entry of that name, or function of that name for that entry. plain is false
// for any other record.
func (p *Packed) Plain(index int) (name, class int, plain bool) {
	row := p.records.rows.at(int32(index))
	return int(row.name), int(row.class), row.class >= 0
}

// Parent returns the number of the name of the kernel that a plain function
// was compiled for, -1 when the log does not say.
func (p *Packed) Parent(index int) (name int) { return int(p.records.rows.at(int32(index)).parent()) }

// Own returns a record that is not plain. It is shared; don't change it.
func (p *Packed) Own(index int) *Kernel {
	return p.records.kernels.at(p.records.rows.at(int32(index)).name)
}

// Compilation returns the index of a record's compilation, -1 when the log
// does not say.
func (p *Packed) Compilation(index int) int {
	row := p.records.rows.at(int32(index))
	if row.class < 0 {
		return p.records.kernels.at(row.name).Compilation
	}
	return int(row.compilation)
}

// Append appends what another log states. The indexes of its compilations must
// count through that log alone.
func (p *Packed) Append(l *Log) {
	first := len(p.Compilations)
	move := func(index *int) {
		if *index >= 0 {
			*index += first
		}
	}
	for _, c := range l.Compilations {
		c.Index += first
		p.Compilations = append(p.Compilations, c)
	}
	for _, r := range l.Remarks {
		move(&r.Compilation)
		p.Remarks = append(p.Remarks, r)
	}
	for i := range l.Kernels {
		k, _ := p.records.addOwn()
		*k = l.Kernels[i]
		move(&k.Compilation)
	}
	p.Faults = append(p.Faults, l.Faults...)
}

// Entries lists name and architecture of the entries in the order of the log,
// as often as it has them. Records without a name are left out.
func (p *Packed) Entries() iter.Seq2[string, string] {
	return func(yield func(name, arch string) bool) {
		for i := range p.records.rows.n {
			if kind, _ := p.records.kind(i); kind == Function {
				continue
			}
			if name, arch := p.records.nameAndArch(i); name != "" && !yield(name, arch) {
				return
			}
		}
	}
}

// AllNames lists the names of the records in the order of the log, as often as
// it has them.
func (p *Packed) AllNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range p.records.rows.n {
			if name, _ := p.records.nameAndArch(i); name != "" && !yield(name) {
				return
			}
		}
	}
}
