package rules

import (
	"fmt"
	"slices"
)

// need is what the log has to state for one rule, since something is declared
// that the rule holds against it.
type need struct {
	judgeOf
	budgets []*Budget // one, or those that are judged together
}

// needs are those of all budgets, in the order of the table.
func needs() []need {
	var list []need
	for i := range budgets {
		b := &budgets[i]
		for _, by := range b.judges {
			at := slices.IndexFunc(list, func(n need) bool { return n.rule == by.rule })
			if at < 0 {
				at = len(list)
				list = append(list, need{judgeOf: by})
			}
			list[at].budgets = append(list[at].budgets, b)
		}
	}
	return list
}

// declared is where that is declared; From is empty where it is not.
func (n *need) declared(u *Subject) Origin {
	if !n.of(u) {
		return Origin{}
	}
	for _, b := range n.budgets {
		if o := b.declaredFor(u); o.From != "" {
			return o
		}
	}
	return Origin{}
}

// unmet reports whether something is declared that the log does not state.
func (n *need) unmet(u *Subject) bool {
	return n.declared(u).From != "" && slices.ContainsFunc(n.budgets, func(b *Budget) bool { return !b.states(u) })
}

func (u *Subject) hasOccupancy() bool { return u.Occupancy != nil }

// judgesBlocks reports whether an occupancy is to be expected: what else can
// be missing is reported elsewhere.
func (u *Subject) judgesBlocks() bool {
	return !u.isFunction() && u.arch.sm != nil && u.threads() > 0
}

// checkStated reports budgets on numbers that the log does not state: unknown
// is never fine. Records with defects were reported as such.
func (j *judge) checkStated() {
	for bit, n := range j.needs {
		if !j.on(n.rule) {
			continue
		}
		list := j.matching(func(u *Subject) bool { return u.unmet>>bit&1 != 0 })
		if len(list) == 0 {
			continue
		}
		verb := "has a budget or minimum"
		if len(list) > 1 {
			verb = "have a budget or minimum"
		}
		j.reportRecords(Finding{
			Message: fmt.Sprintf("%s %s for what the log does not state: %s", count(int64(len(list)), "kernel"), verb, n.what),
			Detail:  "not-stated " + n.rule, Declared: n.declared(j.subjects[j.subjectOf[list[0]]]), Help: n.budgets[0].help,
		}, list)
	}
}
