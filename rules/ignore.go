package rules

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// exceptions are what a policy accepts: ignores and the baseline.
type exceptions struct {
	ignores  []Ignore
	patterns *matcher
	used     []bool // per ignore: it suppressed something, or would have
	ended    []bool // per ignore: its date has passed
	baseline *baseline
	base     *baseline // of another log
	scratch  []int
}

func newExceptions(p *Policy, rules []*Rule) (*exceptions, error) {
	e := &exceptions{
		ignores: p.Ignores,
		used:    make([]bool, len(p.Ignores)),
		ended:   make([]bool, len(p.Ignores)),
	}
	targets := make([]target, len(p.Ignores))
	var errs []error
	for i := range p.Ignores {
		g := &p.Ignores[i]
		targets[i] = target{g.Match, g.Names}
		e.ended[i] = hasEnded(g.Until, p.Today)
		errs = append(errs, checkIgnore(g, i, rules))
	}
	var err error
	e.patterns, err = newMatcher("ignore", targets)
	errs = append(errs, err)
	e.baseline, e.base = newBaseline(p.Baseline), newBaseline(p.Base)
	e.base.ofLog = true
	return e, errors.Join(errs...)
}

func checkIgnore(g *Ignore, index int, rules []*Rule) error {
	known := slices.ContainsFunc(rules, func(r *Rule) bool { return r.ID == g.Rule })
	switch {
	case !known:
		return fmt.Errorf("ignore %d: there is no rule %q", index+1, g.Rule)
	case g.Rule == untrustedLogID:
		return fmt.Errorf("ignore %d: %s can't be ignored, so that a log that can't be judged never passes", index+1, g.Rule)
	case g.Reason == "":
		return fmt.Errorf("ignore %d of %s: a reason is required", index+1, g.Rule)
	}
	return nil
}

// hasEnded reports whether today lies behind the last day of an exception;
// the last day itself still counts.
func hasEnded(until, today time.Time) bool {
	if until.IsZero() || today.IsZero() {
		return false
	}
	return dayNumber(today) > dayNumber(until)
}

// dayNumber orders days by the calendar that each time is written in: until is
// a date without a zone.
func dayNumber(t time.Time) int {
	y, m, d := t.Date()
	return (y*100+int(m))*100 + d
}

// apply suppresses what the policy accepts, turns what got worse than the
// baseline into regressions, and reports exceptions that are of no use.
func (e *exceptions) apply(j *judge) {
	for i := range j.findings {
		e.ignore(j, &j.findings[i])
	}
	e.baseline.apply(j)
	e.ignoreRegressions(j)
	j.reportStale(e)
	e.base.apply(j)
	e.ignoreRegressions(j)
}

// ignoreRegressions asks again for the findings that have become regressions.
func (e *exceptions) ignoreRegressions(j *judge) {
	for i := range j.findings {
		if f := &j.findings[i]; f.Rule == regressionID && f.Suppressed == "" {
			e.ignore(j, f)
		}
	}
}

// ignore suppresses a finding that an ignore is for. The last one in the
// policy that matches gives the reason.
func (e *exceptions) ignore(j *judge, f *Finding) {
	if f.Rule == untrustedLogID || len(e.ignores) == 0 {
		return
	}
	e.scratch = e.patterns.match(f.Kernel, e.scratch[:0])
	if f.Parent != "" {
		// A callee's spills are its kernel's trouble too.
		e.scratch = e.patterns.match(f.Parent, e.scratch)
	}
	for _, i := range e.scratch {
		g := &e.ignores[i]
		if g.Rule != f.Rule || !j.arch(f.Arch).among(g.Archs) {
			continue
		}
		e.used[i] = true
		if !e.ended[i] {
			f.Suppressed, f.SuppressedBy = g.Reason, g.Origin
		}
	}
}
