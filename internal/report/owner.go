package report

import (
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// recordKey is what a finding says of the record that it is about. A kernel
// that several translation units hold has several records of one name; the
// line of the log tells them apart.
type recordKey struct {
	kernel, parent, arch string
	place                parse.Place
}

// remarkKey finds the record that a remark belongs to.
type remarkKey struct {
	kernel      string
	compilation int
}

// owner is the index of the record that a finding is about: of a linked kernel
// the linker's; -1 where the log has no record of that name.
func (in *Input) owner(f *rules.Finding) int {
	if f.Kernel == "" {
		return -1
	}
	if in.owners == nil {
		in.owners = in.findOwners()
	}
	key := recordKey{f.Kernel, f.Parent, f.Arch, f.Log}
	if i, known := in.owners[key]; known {
		return i
	}
	key.place = parse.Place{}
	if i, known := in.owners[key]; known {
		return i
	}
	return -1
}

func (in *Input) findOwners() map[recordKey]int {
	owners := make(map[recordKey]int, 2*in.Log.Len())
	compiled := map[remarkKey]int{}
	add := func(name, parent, arch string, at parse.Place, record int) {
		for _, place := range []parse.Place{at, {}} { // without a place: the first of that name
			key := recordKey{name, parent, arch, place}
			if _, known := owners[key]; !known {
				owners[key] = record
			}
		}
	}
	know := func(k parse.Kernel, record int, arch string) {
		add(k.Name, k.Parent, arch, k.Place, record)
		at := remarkKey{k.Name, k.Compilation}
		if _, known := compiled[at]; !known && k.Compilation >= 0 {
			compiled[at] = record
		}
	}
	for i, j := range in.Result.Kernels() {
		know(j.Record, i, j.Kernel.Arch)
		if j.Compiled >= 0 {
			know(in.Log.Kernel(j.Compiled), i, j.Kernel.Arch)
		}
	}
	for i, k := range in.Log.Kernels() { // those that were not judged
		know(k, i, k.Arch)
	}
	for i := range in.Log.Remarks {
		r := &in.Log.Remarks[i]
		if n, known := compiled[remarkKey{r.Kernel, r.Compilation}]; known && r.Kernel != "" {
			k := in.Log.Kernel(n)
			add(k.Name, k.Parent, k.Arch, r.Place, n)
		}
	}
	return owners
}
