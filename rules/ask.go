package rules

import "github.com/occlint/occlint/internal/share"

// run asks every rule that is on.
func (j *judge) run() {
	asked := j.askedRules()
	shares := j.askKernels(asked)
	total := 0
	for _, perRule := range shares {
		for _, list := range perRule {
			total += len(list)
		}
	}
	// A finding is large and a log can give a million: they are moved once, and
	// what was moved is let go.
	j.findings = make([]Finding, 0, total+len(asked))
	for i, r := range asked {
		for _, perRule := range shares {
			j.findings = append(j.findings, perRule[i]...)
			perRule[i] = nil
		}
		if r.log != nil {
			j.rule = r
			r.log(j)
		}
	}
}

// askedRules lists the rules that are on.
func (j *judge) askedRules() []*Rule {
	var asked []*Rule
	for _, r := range registry() {
		if j.on(r.ID) {
			asked = append(asked, r)
		}
	}
	return asked
}

// askKernels asks the rules for each unit. It returns what each rule found, for
// each processor's share of the units in their order.
func (j *judge) askKernels(asked []*Rule) [][][]Finding {
	const worthwhile = 512 // units; fewer are judged before another thread has begun
	parts := share.Parts(len(j.units), worthwhile)
	if j.singly || len(j.remarks.byName) > 0 {
		parts = 1 // a remark is told once, of the first kernel that has it
	}
	found := make([][][]Finding, parts)
	flights := make([]inFlight, parts)
	whole := *j // the parts' own copies are made of it
	share.Do(len(j.units), parts, func(part, from, to int) {
		own := whole
		found[part] = own.askShare(asked, own.units[from:to])
		flights[part] = own.inFlight
	})
	for _, f := range flights {
		j.inFlight.judged += f.judged
		j.inFlight.other += f.other
	}
	return found
}

func (j *judge) askShare(asked []*Rule, units []unit) [][]Finding {
	perRule := make([][]Finding, len(asked))
	for i := range units {
		u := &units[i]
		if u.settled.Load() {
			continue
		}
		found := false
		for n, r := range asked {
			if r.kernel == nil {
				continue
			}
			j.rule, j.findings = r, perRule[n]
			r.kernel(j, u)
			found = found || len(j.findings) > len(perRule[n])
			perRule[n] = j.findings
		}
		// What depends on the units themselves is asked each time.
		if u.classed && !found {
			u.settled.Store(true)
		}
	}
	return perRule
}
