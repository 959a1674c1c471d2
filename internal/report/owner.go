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

// owner is the record that a finding is about: of a linked kernel the
// linker's; nil where the log has no record of that name.
func (in *Input) owner(f *rules.Finding) *parse.Kernel {
	if f.Kernel == "" {
		return nil
	}
	if in.owners == nil {
		in.owners = in.findOwners()
	}
	key := recordKey{f.Kernel, f.Parent, f.Arch, f.Log}
	if k := in.owners[key]; k != nil {
		return k
	}
	key.place = parse.Place{}
	return in.owners[key]
}

func (in *Input) findOwners() map[recordKey]*parse.Kernel {
	owners := make(map[recordKey]*parse.Kernel, 2*len(in.Log.Kernels))
	compiled := map[remarkKey]*parse.Kernel{}
	add := func(name, parent, arch string, at parse.Place, record *parse.Kernel) {
		for _, place := range []parse.Place{at, {}} { // without a place: the first of that name
			key := recordKey{name, parent, arch, place}
			if owners[key] == nil {
				owners[key] = record
			}
		}
	}
	know := func(k, record *parse.Kernel, arch string) {
		add(k.Name, k.Parent, arch, k.Place, record)
		if at := (remarkKey{k.Name, k.Compilation}); k.Compilation >= 0 && compiled[at] == nil {
			compiled[at] = record
		}
	}
	for i := range in.Result.Kernels {
		j := &in.Result.Kernels[i]
		know(j.Record, j.Record, j.Kernel.Arch)
		if j.Compiled != nil {
			know(j.Compiled, j.Record, j.Kernel.Arch)
		}
	}
	for i := range in.Log.Kernels { // those that were not judged
		k := &in.Log.Kernels[i]
		know(k, k, k.Arch)
	}
	for i := range in.Log.Remarks {
		r := &in.Log.Remarks[i]
		if k := compiled[remarkKey{r.Kernel, r.Compilation}]; k != nil && r.Kernel != "" {
			add(k.Name, k.Parent, k.Arch, r.Place, k)
		}
	}
	return owners
}
