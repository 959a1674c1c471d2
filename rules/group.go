package rules

import (
	"github.com/occlint/occlint/parse"
)

// key is a kernel or function as the log names it.
type key struct{ name, parent, arch string }

// makeUnits turns the records of the log into units. Where a kernel was
// linked, the linker's record counts, with the spills that the compiler
// stated; the linker states none.
func (j *judge) makeUnits() {
	j.survey = surveyLog(j.log, j.kernels)
	var links map[int]string
	if j.survey.linked {
		links = linkArchs(j.kernels)
	}
	archOf := func(k *parse.Kernel) string {
		if k.Arch == "" && k.Stage == parse.StageNvlink {
			return links[k.Compilation]
		}
		return k.Arch
	}
	compiled := j.compiledRecords(archOf)
	j.untied = &ties{globals: j.remarks.global, none: true}
	j.units = make([]unit, 0, len(j.kernels))
	var a *archInfo
	for i := range j.kernels {
		k := &j.kernels[i]
		if printed := archOf(k); a == nil || a.name != printed {
			a = j.arch(printed)
			a.inLog = true
		}
		if k.Name == "" || !a.judged {
			j.notJudged++
			continue
		}
		u := unit{kernel: k, record: k, arch: a, ties: j.untied, defects: k.Defect}
		if j.survey.linked || j.survey.listed {
			id := key{k.Name, k.Parent, a.name}
			if j.superseded(k, id) {
				continue
			}
			if k.Stage == parse.StageNvlink {
				u.link(compiled[id])
			}
		}
		if u.kernel == k && k.Arch != a.name {
			u.kernel = with(k, func(c *parse.Class) { c.Arch = a.name })
		}
		j.units = append(j.units, u)
		if a.units++; a.first == nil {
			a.first = &j.units[len(j.units)-1]
		}
	}
	for i := range j.policy.Archs {
		for _, a := range j.archs {
			if a.inLog && covers(j.table, j.policy.Archs[i].Arch, a.name) {
				j.archSeen[i] = true
			}
		}
	}
}

// linkedMost is what the linker's records of one kernel come to, per number
// the most.
type linkedMost struct{ registers, shared int64 }

// compiledRecords finds the compiler's record behind each kernel that the
// linker or cuobjdump lists as well. Of several compilations the one that
// spills most counts: which of them the linker took, no log says.
func (j *judge) compiledRecords(archOf func(*parse.Kernel) string) map[key]*parse.Kernel {
	j.linked, j.compiledNames = map[key]linkedMost{}, map[string]bool{}
	binary := j.survey.listed
	if !binary && !j.survey.linked {
		return nil
	}
	for i := range j.kernels {
		k := &j.kernels[i]
		if k.Stage == parse.StageNvlink && k.Name != "" {
			id := key{k.Name, k.Parent, archOf(k)}
			most := j.linked[id]
			most.registers = max(most.registers, k.Registers.Or(0))
			most.shared = max(most.shared, ownShared(k, id.arch))
			j.linked[id] = most
		}
	}
	compiled := map[key]*parse.Kernel{}
	if len(j.linked) == 0 && !binary {
		return compiled
	}
	for i := range j.kernels {
		k := &j.kernels[i]
		id := key{k.Name, k.Parent, archOf(k)}
		if k.Stage != parse.StagePtxas || k.Name == "" || (!binary && !j.wasLinked(k, id)) {
			continue
		}
		if binary {
			j.compiledNames[k.Name] = true
		}
		if have := compiled[id]; have == nil || spillSum(k) > spillSum(have) {
			compiled[id] = k
		}
	}
	j.compiled = compiled
	return compiled
}

func spillSum(k *parse.Kernel) int64 { return k.SpillStoreBytes.Or(0) + k.SpillLoadBytes.Or(0) }

// wasLinked reports whether a compiler's record is behind one of the linker's.
// The linker takes away no registers and no shared memory, so a record with
// more of either is a kernel of the same name in a program that was not linked
// in this log, and is judged by itself.
func (j *judge) wasLinked(k *parse.Kernel, id key) bool {
	most, linked := j.linked[id]
	return linked && k.Registers.Or(0) <= most.registers && k.SharedBytes.Or(0) <= most.shared
}

// superseded reports whether another record of the same kernel counts instead
// of k: the linker's instead of the compiler's, and either of them instead of
// cuobjdump's, which repeats what they say.
func (j *judge) superseded(k *parse.Kernel, id key) bool {
	switch k.Stage {
	case parse.StagePtxas:
		return j.wasLinked(k, id)
	case parse.StageCuobjdump:
		if id.arch == "" { // it names one for fat binaries alone
			return j.compiledNames[id.name]
		}
		_, linked := j.linked[id]
		return linked || j.compiled[id] != nil
	default:
		return false
	}
}

// link takes the compiler's spills, and what else the linker does not state,
// into the linker's record.
func (u *unit) link(compiled *parse.Kernel) {
	if compiled == nil {
		return
	}
	u.kernel = with(u.record, func(c *parse.Class) {
		c.Arch = u.arch.name
		c.SpillStoreBytes = compiled.SpillStoreBytes
		c.SpillLoadBytes = compiled.SpillLoadBytes
		if !c.Barriers.Stated() {
			c.Barriers = compiled.Barriers
		}
		c.Defect |= compiled.Defect
	})
	u.kernel.CompileMicros = compiled.CompileMicros
	u.tie().compiled = compiled
	u.defects = u.kernel.Defect
}

// with returns a copy of a kernel with a class of its own, changed.
func with(k *parse.Kernel, change func(*parse.Class)) *parse.Kernel {
	changed, class := *k, *k.Class
	changed.Class = &class
	change(&class)
	return &changed
}

// attachCallees joins each function with the kernel that it was compiled for:
// of the same compilation where the log says which. distinct is what distinct
// returned.
func (j *judge) attachCallees(distinct bool) {
	type place struct {
		name, arch  string
		compilation int
	}
	var functions []*unit
	for i := range j.units {
		if u := &j.units[i]; u.isFunction() && u.kernel.Parent != "" {
			functions = append(functions, u)
		}
	}
	if len(functions) == 0 {
		return
	}
	if distinct && !j.survey.linked && j.attachNear() {
		return
	}
	exact := make(map[place]*unit, len(j.units))
	byName := make(map[key]*unit, len(j.units))
	for i := range j.units {
		u := &j.units[i]
		if u.isFunction() {
			continue
		}
		compilation := u.kernel.Compilation
		if u.compiled != nil {
			compilation = u.compiled.Compilation
		}
		exact[place{u.kernel.Name, u.arch.name, compilation}] = u
		byName[key{u.kernel.Name, "", u.arch.name}] = u
	}
	for _, u := range functions {
		parent := exact[place{u.kernel.Parent, u.arch.name, u.kernel.Compilation}]
		if parent == nil {
			parent = byName[key{u.kernel.Parent, "", u.arch.name}]
		}
		u.join(parent)
	}
}

// join makes u a function of parent; nil is none.
func (u *unit) join(parent *unit) {
	if parent != nil {
		u.tie().parent = parent
		callees := &parent.tie().callees
		*callees = append(*callees, u)
	}
}

// attachNear joins functions with the kernel right above them, as the log of
// one job has them, given that no kernel is in a compilation twice. It does
// nothing and returns false where a function's kernel stands elsewhere.
func (j *judge) attachNear() bool {
	var last *unit
	near := func(u *unit) bool {
		return last != nil && last.compiled == nil && last.arch == u.arch && last.kernel.Compilation == u.kernel.Compilation &&
			last.kernel.Name == u.kernel.Parent
	}
	for pass := range 2 {
		last = nil
		for i := range j.units {
			switch u := &j.units[i]; {
			case !u.isFunction():
				last = u
			case u.kernel.Parent == "":
			case pass == 0 && !near(u):
				return false
			case pass == 1:
				u.join(last)
			}
		}
	}
	return true
}
