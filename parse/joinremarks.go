package parse

import (
	"slices"

	"github.com/occlint/occlint/parse/internal/msg"
)

// joinRemarks finds the compilation that each remark belongs to. ptxas writes
// most remarks before the module line of their compilation, so they name
// kernels that are not in the log yet.
func (a *assembler) joinRemarks() {
	remarks := a.log.Remarks[a.before.remarks:]
	if len(remarks) == 0 {
		return
	}
	named := a.namedCompilations(remarks)
	comps := a.log.Compilations[a.before.compilations:]
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
		if len(named[w.kernel]) > 4*(len(equal)+len(taken[w])) {
			continue // two stages and what is taken: never so many; keeps it linear
		}
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
	return stages[msg.StageOf([]byte(tool))]
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
	have := func(name string, compilation int) {
		if comps, wanted := named[name]; wanted && compilation >= 0 {
			if n := len(comps); n == 0 || comps[n-1] != compilation {
				named[name] = append(comps, compilation)
			}
		}
	}
	numbers := make(map[int32]string, len(named))
	for name := range named {
		if n := a.records.names.find(name); n >= 0 {
			numbers[n] = name
		}
	}
	for i := a.first; i < a.records.rows.n; i++ {
		if row := a.records.rows.at(i); row.class < 0 {
			k := a.records.drafts.at(row.name)
			have(k.Name, k.Compilation)
		} else if name, wanted := numbers[row.name]; wanted {
			have(name, int(row.compilation))
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
