package binaries

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// id is a kernel or function for one architecture.
type id struct{ name, parent, arch string }

func idOf(k *parse.Kernel) id { return id{k.Name, k.Parent, k.Arch} }

// AddTo appends what was read to a log that has been read before, and holds the
// two against each other.
func (r *Reader) AddTo(log *parse.Log) {
	r.joinPTX()
	logged := statedBy(log, r.images)
	linked, copies := map[id]bool{}, map[duplicate]int{}
	for i := range r.images {
		for j := range r.images[i].kernels {
			if !r.images[i].unlinked {
				linked[idOf(&r.images[i].kernels[j])] = true
			}
		}
	}
	kernels := 0
	for i := range r.images {
		m := &r.images[i]
		kept := m.kernels[:0]
		for _, k := range m.kernels {
			if m.unlinked && linked[idOf(&k)] || m.isCopy(&k, copies) {
				continue
			}
			kept = append(kept, k)
			if faulty := compare(&k, m, logged[idOf(&k)]); faulty != nil {
				log.Faults = append(log.Faults, *faulty)
			}
		}
		m.kernels = kept
		kernels += len(kept)
		if len(kept) > 0 {
			m.appendTo(log)
		}
	}
	log.Faults = append(log.Faults, r.faults...)
	if r.files > 0 && kernels == 0 && len(r.faults) == 0 && log.Len() == 0 {
		text := "the binary has no code of a kernel"
		if len(r.Notes) > 0 {
			text += " (" + strings.Join(r.Notes, "; ") + ")"
		}
		log.Faults = append(log.Faults, parse.Fault{Kind: parse.FaultBinary, Text: text})
	}
}

// duplicate is a record as it stands in several files.
type duplicate struct {
	name, parent string
	class        parse.Class
}

// isCopy reports whether another file has the same of a kernel. In a cache,
// two configurations that come to the same numbers are still two.
func (m *image) isCopy(k *parse.Kernel, first map[duplicate]int) bool {
	if m.cached {
		return false
	}
	d := duplicate{k.Name, k.Parent, *k.Class}
	file, seen := first[d]
	if !seen {
		first[d] = m.file
	}
	return seen && file != m.file
}

// appendTo appends an image as one compilation.
func (m *image) appendTo(log *parse.Log) {
	index := len(log.Compilations)
	log.Compilations = append(log.Compilations, parse.Compilation{
		Index: index, GlobalBytes: parse.SomeSize(m.global), ConstBytes: m.constant,
		Arch: m.arch, Stage: parse.StageBinary, Tool: m.tool, Place: m.place,
	})
	for i := range m.kernels {
		m.kernels[i].Compilation = index
	}
	log.Add(m.kernels...)
}

// statedBy finds what the log states of the kernels that images have.
func statedBy(log *parse.Log, images []image) map[id][]parse.Kernel {
	if log.Len() == 0 {
		return nil
	}
	wanted := map[id][]parse.Kernel{}
	for i := range images {
		for j := range images[i].kernels {
			wanted[idOf(&images[i].kernels[j])] = nil
		}
	}
	for _, k := range log.Kernels() {
		if _, asked := wanted[idOf(&k)]; asked && k.Defect == 0 && (k.Stage == parse.StagePtxas || k.Stage == parse.StageNvlink) {
			wanted[idOf(&k)] = append(wanted[idOf(&k)], k)
		}
	}
	return wanted
}

// compare holds a kernel of a binary against the records of a log. One of them
// that states the same is enough: a kernel can be compiled more than once.
func compare(k *parse.Kernel, m *image, logged []parse.Kernel) *parse.Fault {
	if k.Kind != parse.Entry {
		return nil
	}
	var differ *difference
	var at parse.Place
	for i := range logged {
		l := &logged[i]
		if m.unlinked != (l.Stage == parse.StagePtxas) && hasBoth(logged) {
			continue // the compiler's numbers are not the linker's
		}
		d := differs(k, l)
		if d == nil {
			return nil
		}
		if differ == nil {
			differ, at = d, l.Place
		}
	}
	if differ == nil {
		return nil
	}
	where := at.File
	if at.Line > 0 {
		where = fmt.Sprintf("%s:%d", at.File, at.Line)
	}
	return &parse.Fault{
		Kind: parse.FaultMismatch, Kernel: k.Name, Place: k.Place,
		Text: fmt.Sprintf("%s on %s has %s %s in %s, %s in %s", name.Qualified(k.Name), k.Arch, differ.what, differ.log, where, differ.binary, k.Place.File),
	}
}

// hasBoth reports whether the log has records of the compiler and the linker.
func hasBoth(logged []parse.Kernel) bool {
	var ptxas, nvlink bool
	for i := range logged {
		ptxas = ptxas || logged[i].Stage == parse.StagePtxas
		nvlink = nvlink || logged[i].Stage == parse.StageNvlink
	}
	return ptxas && nvlink
}

// difference is a number that both state, and not the same.
type difference struct {
	what        string
	binary, log parse.Count
}

// differs returns the first difference, or nil.
func differs(binary, log *parse.Kernel) *difference {
	for _, n := range []difference{
		{"registers", binary.Registers, log.Registers},
		{"shared memory", shared(binary), shared(log)},
		{"stack frame", binary.StackBytes, log.StackBytes},
		{"spill stores", binary.SpillStoreBytes, log.SpillStoreBytes},
		{"spill loads", binary.SpillLoadBytes, log.SpillLoadBytes},
		{"barriers", binary.Barriers, log.Barriers},
	} {
		if n.binary.Stated() && n.log.Stated() && n.binary != n.log {
			return &n
		}
	}
	return nil
}

// shared is static shared memory without the system's share.
func shared(k *parse.Kernel) parse.Count {
	if !k.Registers.Stated() {
		return 0
	}
	return parse.Some(rules.StaticShared(k.Class, k.Arch))
}
