package rules

import (
	"slices"

	"github.com/occlint/occlint/parse"
)

// key is a kernel or function as the log names it.
type key struct{ name, parent, arch string }

// links says which records of a log are of one kernel: what the compiler said,
// what the linker made of it, and what cuobjdump repeats. The zero value is that
// of a log with the compiler's records alone.
type links struct {
	superseded []bool      // by record; nil: none is
	compiledOf map[int]int // the compiler's record behind a linker's
	archs      map[int]string
	provenBy   map[int]*parse.Class // what a binary states of a log's record
	any        bool                 // the log has records of the linker
}

// supersedes reports whether another record of the same kernel counts instead
// of a record.
func (l *links) supersedes(record int) bool { return l.superseded != nil && l.superseded[record] }

// compiled returns the compiler's record behind a linker's, -1 for none.
func (l *links) compiled(record int) int {
	if c, ok := l.compiledOf[record]; ok {
		return c
	}
	return -1
}

// survey is what a first look at the records finds. Most logs have nothing of
// it, and then much need not be looked for.
type survey struct {
	linked  bool // records of the linker
	listed  bool // records of cuobjdump
	binary  bool // records of binaries
	unnamed bool // records without a name
	apart   bool // a compilation of functions alone
}

// look looks at the classes of the log, finds their architectures, and joins the
// records of one kernel.
func (j *judge) look() {
	j.classArchs = map[*parse.Class]*archInfo{}
	for c := range j.log.Classes() {
		j.classArchs[c] = j.arch(c.Arch)
		j.survey.linked = j.survey.linked || c.Stage == parse.StageNvlink
		j.survey.listed = j.survey.listed || c.Stage == parse.StageCuobjdump
		j.survey.binary = j.survey.binary || c.Stage == parse.StageBinary
	}
	if j.survey.linked || j.survey.listed {
		j.joinRecords()
	}
	if j.survey.binary {
		j.pairBinaries()
	}
}

// compilations says what the compiler's records of each compilation are of.
type compilations map[int]uint8

const (
	hasFunctions = 1 << iota
	hasOthers
)

func kindOf(c *parse.Class) uint8 {
	switch {
	case c.Stage != parse.StagePtxas:
		return 0
	case c.Kind == parse.Function:
		return hasFunctions
	}
	return hasOthers
}

// archOf is the architecture of a record. Where the linker leaves it out, the
// log may still tell it.
func (j *judge) archOf(k *parse.Kernel) *archInfo {
	if k.Arch == "" && k.Stage == parse.StageNvlink {
		return j.archs[j.links.archs[k.Compilation]]
	}
	return j.classArchs[k.Class]
}

// classFor is a record's class, with its architecture.
func (p *groupingPart) classFor(k *parse.Kernel, a *archInfo) *parse.Class {
	if k.Arch == a.name {
		return k.Class
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	on := classOn{k.Class, a}
	c := p.renamed[on]
	if c == nil {
		named := *k.Class
		named.Arch = a.name
		c = &named
		p.renamed[on] = c
	}
	return c
}

// classOn is a class on an architecture that only the log as a whole tells.
type classOn struct {
	class *parse.Class
	arch  *archInfo
}

// linkedMost is what the linker's records of one kernel come to, per number
// the most.
type linkedMost struct{ registers, shared int64 }

// joinRecords finds the compiler's record behind each kernel that the linker or
// cuobjdump lists as well, and which records count no more. Where a kernel was
// linked, the linker's record counts, with the spills that the compiler stated;
// the linker states none. Of several compilations the one that spills most
// counts: which of them the linker took, no log says.
func (j *judge) joinRecords() {
	if j.survey.linked {
		j.links.archs = j.linkArchs()
	}
	idOf := func(k *parse.Kernel) key {
		a := k.Arch
		if a == "" && k.Stage == parse.StageNvlink {
			a = j.links.archs[k.Compilation]
		}
		return key{k.Name, k.Parent, a}
	}
	linked := map[key]linkedMost{}
	for _, k := range j.log.Kernels() {
		if k.Stage != parse.StageNvlink {
			continue
		}
		id := idOf(&k)
		j.arch(id.arch) // it is known from now on
		if k.Name != "" {
			most := linked[id]
			most.registers = max(most.registers, k.Registers.Or(0))
			most.shared = max(most.shared, StaticShared(k.Class, id.arch))
			linked[id] = most
		}
	}
	j.links.any = len(linked) > 0
	// The linker takes away no registers and no shared memory, so a record with
	// more of either is a kernel of the same name in a program that was not
	// linked in this log, and is judged by itself.
	wasLinked := func(k *parse.Kernel, id key) bool {
		most, ok := linked[id]
		return ok && k.Registers.Or(0) <= most.registers && k.SharedBytes.Or(0) <= most.shared
	}
	compiled, names := map[key]int{}, map[string]bool{}
	for i, k := range j.log.Kernels() {
		id := idOf(&k)
		if k.Stage != parse.StagePtxas || k.Name == "" || (!j.survey.listed && !wasLinked(&k, id)) {
			continue
		}
		names[k.Name] = true
		if have, known := compiled[id]; !known || spillSum(k.Class) > spillSum(j.log.Kernel(have).Class) {
			compiled[id] = i
		}
	}
	j.links.superseded, j.links.compiledOf = make([]bool, j.log.Len()), map[int]int{}
	for i, k := range j.log.Kernels() {
		id := idOf(&k)
		c, isCompiled := compiled[id]
		switch k.Stage {
		case parse.StagePtxas:
			j.links.superseded[i] = wasLinked(&k, id)
		case parse.StageNvlink:
			if isCompiled {
				j.links.compiledOf[i] = c
			}
		case parse.StageCuobjdump: // it repeats what the others say
			_, isLinked := linked[id]
			j.links.superseded[i] = isLinked || isCompiled
			if id.arch == "" { // it names one for fat binaries alone
				j.links.superseded[i] = j.survey.listed && names[id.name]
			}
		default:
		}
	}
}

func spillSum(c *parse.Class) int64 { return c.SpillStoreBytes.Or(0) + c.SpillLoadBytes.Or(0) }

// linkedClass takes the compiler's spills, and what else the linker does not
// state, into the linker's numbers.
func linkedClass(linked, compiled *parse.Class) *parse.Class {
	c := *linked
	c.SpillStoreBytes, c.SpillLoadBytes = compiled.SpillStoreBytes, compiled.SpillLoadBytes
	if !c.Barriers.Stated() {
		c.Barriers = compiled.Barriers
	}
	c.Defect |= compiled.Defect
	return &c
}

// linkArchs finds out the architectures that the linker leaves out. It names
// none where it links a single one, so the kernels of such a link were all
// compiled for the same: if the log has exactly one that all of them were
// compiled for, that is it. Otherwise the architecture stays unknown.
func (j *judge) linkArchs() map[int]string {
	compiled := map[string][]string{} // by kernel that a nameless link has
	for _, k := range j.log.Kernels() {
		if k.Stage == parse.StageNvlink && k.Arch == "" && k.Name != "" && k.Compilation >= 0 {
			compiled[k.Name] = nil
		}
	}
	if len(compiled) == 0 {
		return nil
	}
	for _, k := range j.log.Kernels() {
		if k.Stage != parse.StagePtxas || k.Arch == "" {
			continue
		}
		if archs, wanted := compiled[k.Name]; wanted && !slices.Contains(archs, k.Arch) {
			compiled[k.Name] = append(archs, k.Arch)
		}
	}
	common := map[int][]string{}
	for _, k := range j.log.Kernels() {
		archs := compiled[k.Name]
		if k.Stage != parse.StageNvlink || k.Arch != "" || k.Compilation < 0 || len(archs) == 0 {
			continue
		}
		if have, seen := common[k.Compilation]; seen {
			archs = intersect(have, archs)
		}
		common[k.Compilation] = archs
	}
	found := map[int]string{}
	for compilation, archs := range common {
		if len(archs) == 1 {
			found[compilation] = archs[0]
		}
	}
	return found
}

func intersect(a, b []string) []string {
	var both []string
	for _, s := range a {
		if slices.Contains(b, s) {
			both = append(both, s)
		}
	}
	return both
}
