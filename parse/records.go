package parse

import (
	"iter"
	"math"
	"sort"
)

// records stores the kernels of a log in the order in which they stand there.
// A record is a row: its name, its class and its place. While its log is read, a
// record that was not read whole is a draft, which the row points to; when the
// log ends, each draft gets its class (settle).
type records struct {
	rows     pages[row]
	names    nameTable
	classes  []*Class
	numbers  map[Class]int32 // of classes
	origins  []origin
	drafts   pages[draft]
	wordings *wordingTable
}

// row is a record. Names are numbers in the table of names, -1 for none.
type row struct {
	class       int32 // among classes; -1: name is an index in drafts
	name        int32
	parent      int32
	line        uint32
	compilation int32
	micros      Count
}

// draft is a record that more can still be learnt of.
type draft struct {
	Class
	Name, Parent  string
	CompileMicros Micros
	Compilation   int
	Place         Place
}

// origin says where the records from one on stand, but for their line.
type origin struct {
	first int32
	at    Place
}

// prepare makes the zero value ready to take records.
func (r *records) prepare() {
	if r.wordings == nil {
		r.names, r.numbers, r.wordings = newNameTable(), map[Class]int32{}, &wordingTable{}
	}
}

// begin says that the records to come stand elsewhere.
func (r *records) begin(at Place) { r.origins = append(r.origins, origin{r.rows.n, at}) }

// addDraft appends an empty draft.
func (r *records) addDraft() (*draft, int32) {
	d := r.drafts.add()
	*r.rows.add() = draftRow(r.drafts.n - 1)
	return d, r.rows.n - 1
}

func draftRow(n int32) row { return row{class: -1, name: n} }

// add appends a row.
func (r *records) add(name int32, w *wording, line, compilation int) int32 {
	if w.number == 0 {
		w.number = r.number(w.class) + 1
	}
	*r.rows.add() = row{class: w.number - 1, name: name, parent: -1, line: uint32(bounded(line)), compilation: int32(compilation)}
	return r.rows.n - 1
}

// number returns the number of the class that says the same as c; of a new one
// it is c itself.
func (r *records) number(c *Class) int32 {
	n, known := r.numbers[*c]
	if !known {
		n = int32(len(r.classes))
		r.classes = append(r.classes, c)
		r.numbers[*c] = n
	}
	return n
}

// at returns a record to look at and to change: a draft, if it was none.
func (r *records) at(i int32) *draft {
	row := r.rows.at(i)
	if row.class < 0 {
		return r.drafts.at(row.name)
	}
	k := r.kernel(i)
	d := r.drafts.add()
	*d = draft{*k.Class, k.Name, k.Parent, k.CompileMicros, k.Compilation, k.Place}
	*row = draftRow(r.drafts.n - 1)
	return d
}

// plain reports whether a record is no draft: an entry of ptxas or a function of
// one, read whole, of a compilation, with no defect.
func (r *records) plain(i int32) bool { return r.rows.at(i).class >= 0 }

// others lists the drafts from a record on.
func (r *records) others(from int32) iter.Seq2[int32, *draft] {
	return func(yield func(int32, *draft) bool) {
		for i := from; i < r.rows.n; i++ {
			if row := r.rows.at(i); row.class < 0 && !yield(i, r.drafts.at(row.name)) {
				return
			}
		}
	}
}

// kernel returns a record as others see it.
func (r *records) kernel(i int32) (k Kernel) {
	row := r.rows.at(i)
	if row.class < 0 {
		d := r.drafts.at(row.name)
		return Kernel{&d.Class, d.Name, d.Parent, d.CompileMicros, d.Compilation, d.Place}
	}
	k.Class, k.Compilation, k.CompileMicros.Count = r.classes[row.class], int(row.compilation), row.micros
	k.Place = r.originOf(i).at
	k.Place.Line = int(row.line)
	if row.name >= 0 {
		k.Name = r.names.name(row.name)
	}
	if row.parent >= 0 {
		k.Parent = r.names.name(row.parent)
	}
	return k
}

// originOf returns where a row stands, but for its line.
func (r *records) originOf(i int32) *origin {
	last := len(r.origins) - 1
	if last > 0 && r.origins[last].first > i {
		last = sort.Search(last, func(n int) bool { return r.origins[n].first > i }) - 1
	}
	return &r.origins[last]
}

// classOf returns the class of a record, of a draft what is known of it.
func (r *records) classOf(i int32) *Class {
	row := r.rows.at(i)
	if row.class < 0 {
		return &r.drafts.at(row.name).Class
	}
	return r.classes[row.class]
}

// nameOf returns the name of a record.
func (r *records) nameOf(i int32) string {
	row := r.rows.at(i)
	switch {
	case row.class < 0:
		return r.drafts.at(row.name).Name
	case row.name < 0:
		return ""
	}
	return r.names.name(row.name)
}

// nameAndArch returns those of a record.
func (r *records) nameAndArch(i int32) (name, arch string) { return r.nameOf(i), r.classOf(i).Arch }

// kind returns what a record is of and who settled it.
func (r *records) kind(i int32) (Kind, Stage) {
	c := r.classOf(i)
	return c.Kind, c.Stage
}

// orphan takes the kernel of a function away.
func (r *records) orphan(i int32) {
	if row := r.rows.at(i); row.class < 0 {
		r.drafts.at(row.name).Parent = ""
	} else {
		row.parent = -1
	}
}

// compileMicros returns the compile time of a record.
func (r *records) compileMicros(i int32) Micros {
	row := r.rows.at(i)
	if row.class < 0 {
		return r.drafts.at(row.name).CompileMicros
	}
	return Micros{row.micros}
}

// remove drops the drafts from start on that f says so of.
func (r *records) remove(start int32, f func(*draft) bool) {
	kept := start
	for i := start; i < r.rows.n; i++ {
		if row := r.rows.at(i); row.class < 0 && f(r.drafts.at(row.name)) {
			continue
		}
		*r.rows.at(kept) = *r.rows.at(i)
		kept++
	}
	r.rows.n = kept
}

// settle gives the drafts from a record on their classes. No more is learnt of
// them then.
func (r *records) settle(from int32) {
	for i, d := range r.others(from) {
		c, known := r.numbers[d.Class]
		if !known {
			class := d.Class
			c = r.number(&class)
		}
		*r.rows.at(i) = row{
			class: c, name: r.nameNumber(d.Name), parent: r.nameNumber(d.Parent),
			line: uint32(bounded(d.Place.Line)), compilation: int32(max(d.Compilation, -1)), micros: d.CompileMicros.Count,
		}
	}
	r.drafts = pages[draft]{}
}

// bounded is a line, or 0 where a row has no room for it.
func bounded(line int) int {
	if line < 0 || line > math.MaxUint32 {
		return 0
	}
	return line
}

func (r *records) nameNumber(name string) int32 {
	if name == "" {
		return -1
	}
	text := []byte(name)
	return r.names.number(text, r.names.hash(text), 0)
}
