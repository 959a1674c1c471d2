package parse

import (
	"fmt"
	"slices"
)

// finish settles what only the end of the log can tell. unterminated says
// that the last line has no newline.
func (a *assembler) finish(lastLine int, unterminated bool) {
	a.endListed()
	for _, l := range [...]*lane{&a.ptxas, &a.link} {
		a.abandon(&l.numbers)
		a.abandon(&l.frames)
		a.settleLane(l)
	}
	if a.entries == 0 {
		a.adopt()
	}
	a.findConflicts()
	a.joinRemarks()
	if unterminated {
		a.fault(FaultTruncated, "the log ends inside a line", "", lastLine)
	}
	a.faultDefects()
	if !a.stated {
		a.fault(FaultEmpty, "the log states no kernel, function or module", "", 0)
	}
	added := a.log.Faults[a.start.faults:]
	slices.SortStableFunc(added, func(x, y Fault) int { return x.Place.Line - y.Place.Line })
}

// abandon marks the records whose lines never came.
func (a *assembler) abandon(p *pool) {
	p.drop(func(i int32, owned bool) {
		k := &a.log.Kernels[i]
		k.Defect |= Truncated
		if owned {
			k.Defect |= Interleaved
		}
	})
}

// settleLane takes back what the order of lines does not tell when several
// jobs wrote, and gives functions the architecture of their compilation.
func (a *assembler) settleLane(l *lane) {
	a.endUnit(l)
	if l.parallel && l.modules > 1 {
		for i := a.start.kernels; i < len(a.log.Kernels); i++ {
			if k := &a.log.Kernels[i]; k.Stage == l.stage {
				k.Compilation, k.CompileMicros = -1, Micros{}
			}
		}
	}
	if l.parallel {
		a.reconsider(l)
		a.doubt(l)
	} else if l.givenUp >= 0 {
		// A Used line too many, below an entry that lacks its own.
		for i := l.givenUp + 1; i < l.stray; i++ {
			if k := &a.log.Kernels[i]; k.Stage == l.stage && k.Kind == Entry {
				a.takeBack(l, l.givenUp)
				a.takeBack(l, i)
			}
		}
	}
	for _, f := range l.functions {
		k := &a.log.Kernels[f.kernel]
		if l.parallel && !f.certain {
			k.Parent, k.Arch = "", ""
		}
		if k.Arch == "" && k.Compilation >= 0 {
			k.Arch = a.log.Compilations[k.Compilation].Arch
		}
	}
}

// doubt takes numbers back that a mixed log only seemed to be certain of,
// because an entry was open and not seen to be.
func (a *assembler) doubt(l *lane) {
	// A Used line that nobody waited for: the Compiling line of its entry is
	// missing, so every line above can be that entry's.
	for i := a.start.kernels; i < int(l.stray); i++ {
		a.takeBack(l, int32(i))
	}
	if !l.mixed {
		for _, i := range l.doubtful {
			a.takeBack(l, i)
		}
	}
	if l.stage != StagePtxas || len(l.risky) == 0 {
		return
	}
	// An entry whose properties line is missing: it could have had any line
	// that came after it was opened.
	hidden := len(a.log.Kernels)
	for i := a.start.kernels; i < len(a.log.Kernels); i++ {
		if k := &a.log.Kernels[i]; lacksProperties(k) {
			a.takeBack(l, int32(i))
			hidden = min(hidden, i)
		}
	}
	for _, r := range l.risky {
		if int(r.opened) > hidden {
			a.takeBack(l, r.kernel)
		}
	}
}

// lacksProperties reports an entry that must have properties and has none:
// from sm_30 on ptxas prints them for each.
func lacksProperties(k *Kernel) bool {
	return k.Stage == StagePtxas && k.Kind == Entry && !k.StackBytes.Stated() && !oldArch(k.Arch)
}

// takeBack makes the Used line of an entry uncertain again.
func (a *assembler) takeBack(l *lane, i int32) {
	k := &a.log.Kernels[i]
	if k.Stage != l.stage || k.Kind != Entry {
		return
	}
	stack := k.StackBytes
	a.giveUsed(i, &values{}, nil)
	if l.stage == StagePtxas {
		k.StackBytes = stack
	}
	k.Defect |= Interleaved
}

// adopt joins each Used line that has no entry with the function whose stack
// line stands right above it, in a log that has no Compiling lines at all.
// A log that has some and begins inside a record can't be told apart from one
// where the properties above are a callee's.
func (a *assembler) adopt() {
	if len(a.orphans) == 0 {
		return
	}
	kernels := a.log.Kernels
	for _, i := range a.orphans {
		u, k := &kernels[i], &kernels[i-1]
		if k.Kind != Function || k.Registers.Stated() {
			continue
		}
		k.Kind, k.Parent = Entry, ""
		k.Registers, k.Barriers, k.SharedBytes = u.Registers, u.Barriers, u.SharedBytes
		k.CumulativeStackBytes, k.LocalBytes = u.CumulativeStackBytes, u.LocalBytes
		k.Textures, k.Surfaces, k.Samplers = u.Textures, u.Surfaces, u.Samplers
		k.ConstBytes, k.CompileMicros = u.ConstBytes, u.CompileMicros
		k.Defect |= u.Defect &^ Unnamed
		u.Stage = StageUnknown // to be removed
	}
	kept := a.start.kernels
	for i := a.start.kernels; i < len(kernels); i++ {
		if kernels[i].Stage != StageUnknown {
			kernels[kept] = kernels[i]
			kept++
		}
	}
	clear(kernels[kept:])
	a.log.Kernels = kernels[:kept]
}

// findConflicts marks the entries of one name in one compilation that state
// different numbers. The same kernel in another compilation, of other flags
// perhaps, is no conflict.
func (a *assembler) findConflicts() {
	for _, r := range a.twice {
		k, e := &a.log.Kernels[r.kernel], &a.log.Kernels[r.earlier]
		if k.Compilation < 0 || k.Compilation != e.Compilation || k.Name != e.Name || k.Arch != e.Arch || k.Stage != e.Stage {
			continue
		}
		if k.Registers != e.Registers || k.StackBytes != e.StackBytes || k.SharedBytes != e.SharedBytes ||
			k.SpillStoreBytes != e.SpillStoreBytes || k.SpillLoadBytes != e.SpillLoadBytes || k.Barriers != e.Barriers {
			k.Defect |= Conflicting
			e.Defect |= Conflicting
		}
	}
}

// withoutABI reports a log of kernels that were compiled with -abi=no, as
// CUDA 5 could: none has properties, and what a kernel spills is local memory
// in its Used line, where the newer architectures have none else.
func (a *assembler) withoutABI() bool {
	if a.properly {
		return false
	}
	for i := a.start.kernels; i < len(a.log.Kernels); i++ {
		k := &a.log.Kernels[i]
		if k.Stage == StagePtxas && k.LocalBytes.Stated() && !k.CumulativeStackBytes.Stated() {
			return true
		}
	}
	return false
}

// faultDefects adds a fault for each record that is not whole.
func (a *assembler) faultDefects() {
	withoutABI := a.withoutABI()
	for i := a.start.kernels; i < len(a.log.Kernels); i++ {
		k := &a.log.Kernels[i]
		if lacksProperties(k) && !withoutABI {
			k.Defect |= Truncated
		}
		if k.Defect == 0 {
			continue
		}
		line := k.Place.Line
		if k.Defect.Has(Interleaved) {
			a.fault(FaultInterleaved, "lines of several jobs ran together: the numbers of this record have no certain owner", k.Name, line)
		}
		if k.Defect.Has(Truncated) {
			a.fault(FaultTruncated, "the record is not whole: a line of it is cut or missing", k.Name, line)
		}
		if k.Defect.Has(Unnamed) {
			a.fault(FaultUnnamed, fmt.Sprintf("a record (%s registers, %s bytes of stack) whose name is not in the log", k.Registers, k.StackBytes), "", line)
		}
		if k.Defect.Has(Conflicting) {
			a.fault(FaultConflict, "the log states different numbers for this record", k.Name, line)
		}
	}
}

// joinRemarks finds the compilation that each remark belongs to. ptxas writes
// most remarks before the module line of their compilation, so they name
// kernels that are not in the log yet.
func (a *assembler) joinRemarks() {
	remarks := a.log.Remarks[a.start.remarks:]
	if len(remarks) == 0 {
		return
	}
	named := a.namedCompilations(remarks)
	comps := a.log.Compilations[a.start.compilations:]
	next := 0
	for i := range remarks {
		r := &remarks[i]
		for next < len(comps) && comps[next].Place.Line < r.Place.Line {
			next++
		}
		stage := remarkStage(r.Tool)
		if stage == StageUnknown {
			continue
		}
		a.joinRemark(r, stage, comps, next, named[r.Kernel])
	}
	a.joinEqualRemarks(remarks, named)
}

// joinEqualRemarks settles remarks that several compilations of one kernel
// have word for word: where as many are left as compilations without one, each
// has one, and which is which makes no difference.
func (a *assembler) joinEqualRemarks(remarks []Remark, named map[string][]int) {
	type words struct{ tool, kernel, text string }
	left := make(map[words][]*Remark)
	taken := make(map[words]map[int]bool)
	for i := range remarks {
		r := &remarks[i]
		w := words{r.Tool, r.Kernel, r.Text}
		if r.Kernel == "" {
			continue
		}
		if r.Compilation < 0 {
			left[w] = append(left[w], r)
			continue
		}
		if taken[w] == nil {
			taken[w] = make(map[int]bool)
		}
		taken[w][r.Compilation] = true
	}
	for w, equal := range left {
		stage := remarkStage(w.tool)
		var free []int
		for _, c := range named[w.kernel] {
			if a.log.Compilations[c].Stage == stage && !taken[w][c] {
				free = append(free, c)
			}
		}
		if len(free) != len(equal) {
			continue
		}
		for i, r := range equal {
			r.Compilation = free[i]
			if r.Arch == "" {
				r.Arch = a.log.Compilations[free[i]].Arch
			}
		}
	}
}

// remarkStage is the stage of a tool's remarks; nvcc's belong to none.
func remarkStage(tool string) Stage {
	if tool == "" {
		return StageNvlink
	}
	return stageOf([]byte(tool))
}

// namedCompilations lists, for each kernel that a remark names, the
// compilations that have it.
func (a *assembler) namedCompilations(remarks []Remark) map[string][]int {
	named := make(map[string][]int)
	for i := range remarks {
		if k := remarks[i].Kernel; k != "" {
			named[k] = nil
		}
	}
	if len(named) == 0 {
		return nil
	}
	for i := a.start.kernels; i < len(a.log.Kernels); i++ {
		k := &a.log.Kernels[i]
		if comps, wanted := named[k.Name]; wanted && k.Compilation >= 0 {
			if n := len(comps); n == 0 || comps[n-1] != k.Compilation {
				named[k.Name] = append(comps, k.Compilation)
			}
		}
	}
	return named
}

// contains looks an index up in an ascending list.
func contains(list []int, n int) bool {
	_, found := slices.BinarySearch(list, n)
	return found
}

// joinRemark settles one remark. next is the first compilation whose module
// line stands below it.
func (a *assembler) joinRemark(r *Remark, stage Stage, comps []Compilation, next int, having []int) {
	below := -1
	for i := next; i < len(comps) && i < next+8; i++ {
		if comps[i].Stage == stage && (r.Arch == "" || comps[i].Arch == "" || comps[i].Arch == r.Arch) {
			below = comps[i].Index
			break
		}
	}
	chosen := -1
	switch {
	case r.Kernel == "":
		// Names no kernel: in the log of one job it belongs to the module
		// line that follows.
		if !a.ptxas.parallel {
			chosen = below
		}
	case below >= 0 && contains(having, below):
		chosen = below
	default:
		// Written far from its module by a parallel build: the one
		// compilation that has the kernel.
		for _, c := range having {
			if a.log.Compilations[c].Stage != stage {
				continue
			}
			if chosen >= 0 {
				chosen = -1
				break
			}
			chosen = c
		}
	}
	if chosen < 0 {
		return
	}
	r.Compilation = chosen
	if r.Arch == "" {
		r.Arch = a.log.Compilations[chosen].Arch
	}
}
