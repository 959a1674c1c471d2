package rules

import (
	"slices"

	"github.com/occlint/occlint/parse"
)

// said lists the messages of the compiler that name the kernel.
func (u *Subject) said() []*remark {
	if u.ties == nil {
		return nil
	}
	return u.ties.remarks
}

// callees lists the functions that were compiled for the kernel and spill.
func (u *Subject) callees() []callee {
	if u.ties == nil {
		return nil
	}
	return u.ties.callees
}

// caller is the kernel that a function was compiled for, where it is known and
// the function spills; nil elsewhere.
func (u *Subject) caller() *Subject {
	if u.ties == nil {
		return nil
	}
	return u.ties.parent
}

// compiled is the index of the compiler's record of a linked kernel, -1 for none.
func (u *Subject) compiled() int {
	if u.ties == nil {
		return -1
	}
	return u.ties.compiled
}

// own returns ties of a record that shares its subject with no other from now on.
func (j *judge) own(record int) *ties {
	u := j.subjects[j.subjectOf[record]]
	if u.ties == nil {
		alone := *u
		alone.ties = &ties{compiled: -1}
		j.subjectOf[record] = j.addSubject(&alone)
		u = &alone
	}
	return u.ties
}

// tieRemarks joins records with the messages that name them.
func (j *judge) tieRemarks() {
	if len(j.remarks.byName) == 0 {
		return
	}
	named := map[string]bool{}
	for key := range j.remarks.byName {
		named[key.kernel] = true
	}
	type remarkOn struct {
		*remark
		arch *archInfo
	}
	told := map[remarkOn]bool{}
	for i, u := range j.judged() {
		k := j.log.Kernel(i)
		if !named[k.Name] {
			continue
		}
		list := j.remarks.of(j, &k, u)
		if len(list) == 0 {
			continue
		}
		t := j.own(i)
		t.remarks = list
		for _, r := range list {
			if on := (remarkOn{r, u.arch}); told[on] {
				t.again = append(t.again, r)
			} else {
				told[on] = true
			}
		}
	}
}

// tieCallees joins each function that spills with the kernel that it was
// compiled for: of the same compilation where the log says which. Of the others
// it matters only that there is one.
func (j *judge) tieCallees() {
	var far []int
	for _, i := range j.matching(func(u *Subject) bool { return u.called && u.anySpills() }) {
		if parent := j.entryAbove(i); parent >= 0 {
			j.tieCallee(i, parent)
		} else {
			far = append(far, i)
		}
	}
	if len(far) == 0 {
		return
	}
	type place struct {
		kernelOn
		compilation int
	}
	exact, byName := map[place]int{}, map[kernelOn]int{}
	for _, i := range far {
		byName[kernelOn{j.log.Kernel(i).Parent, j.subjects[j.subjectOf[i]].arch}] = -1
	}
	for i, u := range j.judged() {
		if u.Kind == parse.Function {
			continue
		}
		k := j.log.Kernel(i)
		on := kernelOn{k.Name, u.arch}
		if _, wanted := byName[on]; !wanted {
			continue
		}
		if c := u.compiled(); c >= 0 {
			k.Compilation = j.log.Kernel(c).Compilation
		}
		exact[place{on, k.Compilation}], byName[on] = i, i
	}
	for _, i := range far {
		k := j.log.Kernel(i)
		on := kernelOn{k.Parent, j.subjects[j.subjectOf[i]].arch}
		parent, known := exact[place{on, k.Compilation}]
		if !known {
			parent = byName[on]
		}
		j.tieCallee(i, parent)
	}
}

// entryAbove returns the record right above a function's, but for other
// functions, if it is that of the function's kernel, as the log of one job has
// them; -1 if it is not.
func (j *judge) entryAbove(function int) int {
	const most = 256 // bounds the search
	f := j.log.Kernel(function)
	for i := function - 1; i >= max(0, function-most); i-- {
		if j.subjectOf[i] == 0 {
			return -1
		}
		u := j.subjects[j.subjectOf[i]]
		if u.Kind == parse.Function {
			continue
		}
		k := j.log.Kernel(i)
		if k.Name == f.Parent && k.Compilation == f.Compilation && u.arch == j.subjects[j.subjectOf[function]].arch && u.compiled() < 0 {
			return i
		}
		return -1
	}
	return -1
}

func (j *judge) tieCallee(function, kernel int) {
	of := j.own(kernel)
	t := j.own(function)
	t.parent = j.subjects[j.subjectOf[kernel]]
	of.callees = append(of.callees, callee{j.subjects[j.subjectOf[function]], j.log.Kernel(function).Name})
}

// toldBefore reports whether a message was told of another record that it is
// about.
func (u *Subject) toldBefore(r *remark) bool { return slices.Contains(u.ties.again, r) }
