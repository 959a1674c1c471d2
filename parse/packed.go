package parse

import "io"

// Packed is what one or several logs state, in the order of appearance, with
// the kernels stored in little room: a kernel that was read whole takes 20
// bytes beside its name, where Log.Kernels takes 168. Make one with NewPacked.
type Packed struct {
	Compilations []Compilation
	Remarks      []Remark
	Faults       []Fault

	records records
}

// NewPacked returns a log that states nothing.
func NewPacked() *Packed { return &Packed{records: newRecords()} }

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

// Plain returns name and class of a plain record: a whole one of an entry that
// ptxas compiled, in a compilation that has no other of its name, without
// defects. ok is false for any other.
func (p *Packed) Plain(index int) (name, class int, ok bool) {
	row := p.records.rows.at(int32(index))
	return int(row.name), int(row.class), row.class >= 0
}
