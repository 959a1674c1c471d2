package parse

import "reflect"

// identity is what makes two records one kernel or function, of which a log
// must not state different numbers.
type identity struct {
	name, parent, arch string
	stage              Stage
	compilation        int
}

// markConflicts marks the records from one on that contradict another: one
// kernel or function twice in one compilation, with a number that differs. The
// same kernel in another compilation, of other flags perhaps, is no conflict,
// nor is a function that several kernels have. Plain records can only be in it
// with a draft, or where twice has them: the reader notes what a compilation has
// twice.
func (r *records) markConflicts(from int32, twice []int32) {
	suspect := make(map[string]bool)
	for _, i := range twice {
		suspect[r.nameOf(i)] = true
	}
	for _, d := range r.others(from) {
		suspect[d.Name] = true
	}
	delete(suspect, "")
	if len(suspect) == 0 {
		return
	}
	numbers := make([]bool, r.names.places.n)
	for name := range suspect {
		if n := r.names.find(name); n >= 0 {
			numbers[n] = true
		}
	}
	first := make(map[identity]int32, len(suspect))
	for i := from; i < r.rows.n; i++ {
		if row := r.rows.at(i); row.class >= 0 && (row.name < 0 || !numbers[row.name]) {
			continue
		}
		k := r.kernel(i)
		if k.Name == "" || k.Kind == Function && k.Parent == "" || k.Compilation < 0 {
			continue // perhaps of two kernels, functions or compilations
		}
		id := identity{k.Name, k.Parent, k.Arch, k.Stage, k.Compilation}
		earlier, seen := first[id]
		if !seen {
			first[id] = i
		} else if contradict(r.classOf(earlier), k.Class) {
			r.at(earlier).Defect |= Conflicting
			r.at(i).Defect |= Conflicting
		}
	}
}

// contradict reports whether two classes state a number differently. What one
// of them does not state contradicts nothing, but a number that ptxas leaves out
// of a whole Used line is 0.
func contradict(a, b *Class) bool {
	if a == b {
		return false
	}
	whole := a.wholeUsed() && b.wholeUsed()
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		p, q := x.Field(i), y.Field(i)
		switch p.Interface().(type) {
		case Count, Banks:
			left := whole && leftOut[x.Type().Field(i).Name]
			if (left || !p.IsZero() && !q.IsZero()) && !p.Equal(q) {
				return true
			}
		}
	}
	return false
}

// leftOut are the numbers of a Used line that ptxas prints only where they are
// not 0. Barriers and constants depend on the toolkit.
var leftOut = map[string]bool{
	"SharedBytes": true, "LocalBytes": true, "CumulativeStackBytes": true, "Textures": true, "Surfaces": true, "Samplers": true,
}

// wholeUsed reports a record whose Used line was read whole.
func (c *Class) wholeUsed() bool {
	return c.Registers.Stated() && c.Defect&(Interleaved|Truncated) == 0
}
