package parse

import (
	"iter"
	"sort"
)

// records stores the kernels of a log in the order in which they stand there.
// A record that was read whole, which nearly all of a large log are, is a row
// of its name, its class and its place; any other is a Kernel, which a row
// points to.
type records struct {
	rows    pages[row]
	names   nameTable
	classes []*class
	kernels pages[Kernel] // of the rows without a class
	table   *classTable
	files   []fileFrom
}

// row is a record.
type row struct {
	class       int32 // among classes; -1: name is an index in kernels
	name        int32
	line        uint32
	compilation int32
	extra       uint32 // of an entry the compile time; of a function its kernel's name, and one
}

// micros is the compile time of an entry.
func (r *row) micros() Micros { return Micros{Count(r.extra)} }

func (r *row) setMicros(m Count) { r.extra = uint32(m) }

// parent is the number of the name of a function's kernel, -1 for none.
func (r *row) parent() int32 { return int32(r.extra) - 1 }

func (r *row) setParent(name int32) { r.extra = uint32(name + 1) }

// fileFrom says in which file the records from one on stand.
type fileFrom struct {
	first int32
	file  string
}

// prepare makes the zero value ready to take plain records.
func (r *records) prepare() {
	if r.table == nil {
		r.names, r.table = newNameTable(), &classTable{}
	}
}

// at returns a record to look at and to change. One that was stored by its
// class is stored as a Kernel from then on.
func (r *records) at(i int32) *Kernel {
	row := r.rows.at(i)
	if row.class < 0 {
		return r.kernels.at(row.name)
	}
	k := r.kernels.add()
	*k = r.kernel(i)
	*row = ownRow(r.kernels.n - 1)
	return k
}

func ownRow(own int32) row { return row{class: -1, name: own} }

// plain reports whether a record is stored by its class: an entry of ptxas or
// a function of one, whole, with a stack frame, of a compilation, with no
// defect.
func (r *records) plain(i int32) bool { return r.rows.at(i).class >= 0 }

// others lists the records from one on that are not plain.
func (r *records) others(from int32) iter.Seq2[int32, *Kernel] {
	return func(yield func(int32, *Kernel) bool) {
		for i := from; i < r.rows.n; i++ {
			if row := r.rows.at(i); row.class < 0 && !yield(i, r.kernels.at(row.name)) {
				return
			}
		}
	}
}

// kernel returns a copy of a record.
func (r *records) kernel(i int32) Kernel {
	row := r.rows.at(i)
	if row.class < 0 {
		return *r.kernels.at(row.name)
	}
	k := r.classes[row.class].kernel
	k.Name, k.Compilation = r.names.name(row.name), int(row.compilation)
	switch parent := row.parent(); {
	case k.Kind == Entry:
		k.CompileMicros = row.micros()
	case parent >= 0:
		k.Parent = r.names.name(parent)
	}
	k.Place = Place{File: r.file(i), Line: int(row.line)}
	return k
}

// file returns the file that a row stands in.
func (r *records) file(i int32) string {
	behind := sort.Search(len(r.files), func(n int) bool { return r.files[n].first > i })
	return r.files[behind-1].file
}

// begin says that the records to come stand in another file.
func (r *records) begin(file string) { r.files = append(r.files, fileFrom{r.rows.n, file}) }

// addOwn appends an empty Kernel.
func (r *records) addOwn() (*Kernel, int32) {
	k := r.kernels.add()
	*r.rows.add() = ownRow(r.kernels.n - 1)
	return k, r.rows.n - 1
}

// add appends a row.
func (r *records) add(name int32, c *class, line uint32, compilation int32) int32 {
	if c.id == 0 {
		r.classes = append(r.classes, c)
		c.id = int32(len(r.classes))
	}
	*r.rows.add() = row{class: c.id - 1, name: name, line: line, compilation: compilation}
	return r.rows.n - 1
}

// orphan takes the kernel of a function away.
func (r *records) orphan(i int32) {
	if row := r.rows.at(i); row.class < 0 {
		r.kernels.at(row.name).Parent = ""
	} else {
		row.setParent(-1)
	}
}

// compileMicros returns the compile time of a record.
func (r *records) compileMicros(i int32) Micros {
	row := r.rows.at(i)
	switch {
	case row.class < 0:
		return r.kernels.at(row.name).CompileMicros
	case r.classes[row.class].kernel.Kind == Function:
		return Micros{}
	default:
		return row.micros()
	}
}

// classOf returns the class of a plain record.
func (r *records) classOf(i int32) *class { return r.classes[r.rows.at(i).class] }

// kind returns what a record is of and who settled it.
func (r *records) kind(i int32) (Kind, Stage) {
	row := r.rows.at(i)
	if row.class < 0 {
		k := r.kernels.at(row.name)
		return k.Kind, k.Stage
	}
	return r.classes[row.class].kernel.Kind, StagePtxas
}

// nameAndArch returns those of a record.
func (r *records) nameAndArch(i int32) (name, arch string) {
	row := r.rows.at(i)
	if row.class < 0 {
		k := r.kernels.at(row.name)
		return k.Name, k.Arch
	}
	return r.names.name(row.name), r.classes[row.class].arch
}

// remove drops the records from start on that f says so of.
func (r *records) remove(start int32, f func(*Kernel) bool) {
	kept := start
	for i := start; i < r.rows.n; i++ {
		if row := r.rows.at(i); row.class < 0 && f(r.kernels.at(row.name)) {
			continue
		}
		*r.rows.at(kept) = *r.rows.at(i)
		kept++
	}
	r.rows.n = kept
}
