package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/profile/judge"
)

// profileGate is what --fail-on-verdict and the config's budgets come to.
type profileGate struct {
	broken   []string
	unjudged []string // what can't be told from the report
}

// mostFailing bounds each list: a million kernels have one fault.
const mostFailing = 20

func (g *profileGate) fails(format string, args ...any) { addFailing(&g.broken, format, args) }
func (g *profileGate) asks(format string, args ...any)  { addFailing(&g.unjudged, format, args) }

func addFailing(list *[]string, format string, args []any) {
	switch {
	case len(*list) < mostFailing:
		*list = append(*list, fmt.Sprintf(format, args...))
	case len(*list) == mostFailing:
		*list = append(*list, "and more of the like")
	}
}

// gate holds all kernels against what was asked for, those too that --top and
// --min-share leave out.
func (p *profiler) gate(r *judge.Result) profileGate {
	var g profileGate
	c := p.loaded.profile()
	if len(p.wanted) == 0 && !c.MaxTimeShareSpilling.Set && !c.MinAchieved.Set {
		return g
	}
	if p.torn {
		g.asks("what was given beside the report can't be trusted as a whole, so a kernel may lack its record (--partial takes what is there)")
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if p.wanted[k.Verdict] {
			g.fails("%s: %s [%s]", escapeLines(k.Shown), escapeLines(k.Message), k.Verdict)
			continue
		}
		if open := p.openVerdicts(r, k); len(open) > 0 {
			g.asks("%s may be %s: the report can't tell%s", escapeLines(k.Shown), strings.Join(open, " or "), lacking(k))
		}
	}
	if r.Left > 0 {
		g.asks("%d launches are in no entry, there are too many kernels: export fewer", r.Left)
	}
	if b := c.MaxTimeShareSpilling; b.Set {
		g.spilling(r, b)
	}
	if b := c.MinAchieved; b.Set {
		g.achieved(r, b)
	}
	return g
}

// openVerdicts are those that fail and that the kernel may have. Launches of
// libraries, which no log has, aren't what a log's gate is about.
func (p *profiler) openVerdicts(r *judge.Result, k *judge.Kernel) []string {
	if r.Records > 0 && isLibrary(k) {
		return nil
	}
	var list []string
	for _, v := range k.Open {
		if p.wanted[v] {
			list = append(list, string(v))
		}
	}
	return list
}

// isLibrary reports a kernel whose name no record has.
func isLibrary(k *judge.Kernel) bool { return k.Record == nil && k.Stale == nil && k.Several == 0 }

func lacking(k *judge.Kernel) string {
	if len(k.Missing) == 0 {
		return " (" + string(k.Verdict) + ")"
	}
	return " (" + string(k.Verdict) + "), it lacks " + strings.Join(k.Missing, ", ")
}

// spilling holds the share of time of kernels that spill against a budget.
func (g *profileGate) spilling(r *judge.Result, b config.Field[config.Percent]) {
	if !(r.TimeNanos > 0) {
		g.asks("the report has no times, which %s is about", b.Text)
		return
	}
	spills, open := 0.0, 0.0
	for i := range r.Kernels {
		switch k := &r.Kernels[i]; {
		case k.Verdict == judge.SpillsHot || k.Record != nil && k.Record.Spills() || k.Counters.SpillsCounted:
			spills += k.Share
		case k.Record != nil, k.Counters.Local >= 0, r.Records > 0 && isLibrary(k):
		default:
			open += k.Share
		}
	}
	switch most := float64(b.Value); {
	case 100*spills > most:
		g.fails("kernels that spill take %.1f %% of the time, %s", 100*spills, b.Text)
	case 100*(spills+open) > most:
		g.asks("whether kernels spill that take %.1f %% of the time can't be told, neither from a record nor from the report, %s", 100*open, b.Text)
	}
}

// achieved judges kernels that matter: one of a launch in a thousand has too
// little to do with what a team can tune.
func (g *profileGate) achieved(r *judge.Result, b config.Field[config.Percent]) {
	if !(r.TimeNanos > 0) {
		g.asks("the report has no times, by which %s counts kernels in", b.Text)
		return
	}
	const leastShare = 0.01
	for i := range r.Kernels {
		k := &r.Kernels[i]
		if k.Share < leastShare {
			continue
		}
		switch {
		case k.Occupancy != nil && k.Counters.Achieved < float64(b.Value)/100*k.Occupancy.Percent():
			g.fails("%s achieves %.1f %% of %.1f %% occupancy, %s", escapeLines(k.Shown), k.Counters.Achieved, k.Occupancy.Percent(), b.Text)
		case r.Records > 0 && isLibrary(k):
		case k.Occupancy == nil:
			g.asks("what occupancy %s can have can't be told, %s", escapeLines(k.Shown), b.Text)
		case !(k.Counters.Achieved >= 0):
			g.asks("what occupancy %s achieves is not in the report (section Occupancy), %s", escapeLines(k.Shown), b.Text)
		}
	}
}

// err is the exit code: what can't be judged counts before what failed.
func (g *profileGate) err() error {
	switch all := slices.Concat(g.broken, g.unjudged); {
	case len(g.unjudged) > 0:
		return &exitError{exitUntrusted, errors.New(strings.Join(all, "\n  "))}
	case len(g.broken) > 0:
		return &exitError{exitFindings, errors.New(strings.Join(all, "\n  "))}
	}
	return nil
}
