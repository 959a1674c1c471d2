package rules

import (
	"slices"

	"github.com/occlint/occlint/arch"
)

// archInfo is one architecture of the log. Where the log names none, the name
// is empty.
type archInfo struct {
	name   string
	sm     *arch.SM // nil: not in the table
	judged bool
	inLog  bool // a kernel or function names it; a policy alone may have asked
	table  *arch.Table
	units  int // kernels and functions of it that are judged
	first  int // the record of the first of them
}

// mostArchs is how many architectures are told one by one. No build has more;
// a hostile log can have any number.
const mostArchs = 32

// among reports whether one of names, as a policy writes them, means this
// architecture; an empty list means every one.
func (a *archInfo) among(names []string) bool {
	if len(names) == 0 {
		return true
	}
	return slices.ContainsFunc(names, func(n string) bool { return covers(a.table, n, a.name) })
}

// covers reports whether the architecture that a policy names is the one that
// a log names: sm_90 covers sm_90a, and sm_90a covers itself alone.
func covers(table *arch.Table, asked, have string) bool {
	if asked == have {
		return true
	}
	if have == "" {
		return false
	}
	if s := archSuffix(asked); s != 0 && s != archSuffix(have) {
		return false
	}
	if arch.Base(asked) == arch.Base(have) {
		return true
	}
	// Some architectures were renamed: only the table knows.
	a, errA := table.Lookup(asked)
	h, errH := table.Lookup(have)
	return errA == nil && errH == nil && a.Name == h.Name
}

// archSuffix is the letter behind an architecture's number, or 0.
func archSuffix(name string) byte {
	if n := len(name); n >= 2 && (name[n-1] == 'a' || name[n-1] == 'f') && isDigit(name[n-2]) {
		return name[n-1]
	}
	return 0
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// archNumber is 90 for sm_90a and 0 for what is no architecture.
func archNumber(name string) int {
	base, n := arch.Base(name), 0
	for i := range len(base) {
		if isDigit(base[i]) && n < 1e6 {
			n = n*10 + int(base[i]-'0')
		}
	}
	return n
}

// arch finds or adds an architecture. A record whose architecture nobody
// names is judged, since it may be one of those that must be.
func (j *judge) arch(printed string) *archInfo {
	if a := j.archs[printed]; a != nil {
		return a
	}
	a := &archInfo{name: printed, table: j.table}
	if printed != "" {
		a.sm, _ = j.table.Lookup(printed)
	}
	a.judged = len(j.policy.Archs) == 0 || printed == ""
	for i := range j.policy.Archs {
		a.judged = a.judged || covers(j.table, j.policy.Archs[i].Arch, printed)
	}
	j.archs[printed] = a
	return a
}

// namedArchs lists the architectures that the log names, sorted; judged ones
// only, if asked.
func (j *judge) namedArchs(judged bool) []string {
	var list []string
	for printed, a := range j.archs {
		if printed != "" && a.inLog && (a.judged || !judged) {
			list = append(list, printed)
		}
	}
	slices.Sort(list)
	return list
}
