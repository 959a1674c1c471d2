package parse

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
		if k.Name == "" || k.Kind == Function && k.Parent == "" {
			continue
		}
		id := identity{k.Name, k.Parent, k.Arch, k.Stage, k.Compilation}
		earlier, seen := first[id]
		if !seen {
			first[id] = i
		} else if !sameNumbers(r.classOf(earlier), k.Class) {
			r.at(earlier).Defect |= Conflicting
			r.at(i).Defect |= Conflicting
		}
	}
}

// sameNumbers reports whether two classes say the same but for their defects.
func sameNumbers(a, b *Class) bool {
	x, y := *a, *b
	x.Defect, y.Defect = 0, 0
	return x == y
}
