package rules

import (
	"fmt"
	"strings"
)

const staleExceptionID = "stale-exception"

func staleException() *Rule {
	return &Rule{
		ID:    staleExceptionID,
		Title: "an ignore or a baseline entry that is of no use any more",
		Why: "Things got better: what was ignored or accepted is gone, or the number is lower than recorded. An exception that stays behind would hide the next problem of the same kind. " +
			"An ignore whose `until` has passed suppresses nothing, and is reported too.\n\n" +
			"Exceptions for architectures that the log does not have are left alone, and with `--partial` so are those that match nothing.",
		Example: Example{
			Log: exampleFree64,
			Config: `version: 1
ignore:
  - {rule: spill-budget, match: free_64, reason: "cold path"}
`,
			Policy: func() *Policy {
				return &Policy{Ignores: []Ignore{{Rule: "spill-budget", Match: "free_64", Reason: "cold path"}}}
			},
			Finding: `the ignore of spill-budget for "free_64" suppresses nothing`,
		},
		Fix:     "Delete the ignore. For the baseline, `occlint baseline prune` takes out what is gone and lowers what got better.",
		Default: Warning,
		Options: []Option{
			{"ignore", "Suppressions: rule, match, reason, and optionally until and archs."},
			{"baseline", "The file of accepted findings, relative to the config."},
		},
	}
}

// reportStale reports the exceptions that accepted nothing.
func (j *judge) reportStale(e *exceptions) {
	if !j.on(staleExceptionID) || j.judgedCount == 0 {
		return
	}
	rule, _ := ByID(staleExceptionID)
	j.rule = rule
	for i := range e.ignores {
		j.reportStaleIgnore(&e.ignores[i], e.used[i], e.ended[i])
	}
	// The numbers of one finding go together: gone is reported once.
	gone := map[baselineKey]bool{}
	for _, a := range e.baseline.list {
		finding := baselineKey{a.Rule, a.Kernel, a.Arch, "", a.Detail}
		if !a.used && gone[finding] {
			continue
		}
		gone[finding] = !a.used
		j.reportStaleEntry(a, e.baseline.policy)
	}
}

func (j *judge) reportStaleIgnore(g *Ignore, used, ended bool) {
	if !j.hasArch(g.Archs) || !j.on(g.Rule) {
		return
	}
	f := Finding{Declared: g.Origin, Detail: g.Rule + " " + g.Match, Notes: []string{"its reason: " + g.Reason}}
	switch {
	case ended:
		f.Message = fmt.Sprintf("the ignore of %s for %q ended on %s", g.Rule, g.Match, g.Until.Format("2006-01-02"))
		f.Help = "delete it, or give it a new date and a reason for that"
		if used {
			f.Notes = append(f.Notes, "what it was for is still there, and is reported again")
		}
	case used || j.policy.Partial || g.Inherited:
		return
	default:
		f.Message = fmt.Sprintf("the ignore of %s for %q suppresses nothing", g.Rule, g.Match)
		f.Help = "delete it"
	}
	j.report(f)
}

func (j *judge) reportStaleEntry(a *accepted, p *Baseline) {
	if a.Arch != "" && !j.hasArch([]string{a.Arch}) || !j.on(a.Rule) {
		return
	}
	f := Finding{Declared: a.Origin, Detail: a.Rule + " " + a.Kernel + " " + a.Field + " " + a.Detail, Arch: a.Arch, Accepted: a.Kernel}
	if f.Declared.From == "" {
		f.Declared = p.Origin
	}
	switch {
	case !a.used && !j.policy.Partial:
		f.Message = fmt.Sprintf("the baseline accepts %s for %s%s, and there is none any more", a.Rule, a.Kernel, onArch(a.Arch))
		f.Help = "occlint baseline prune takes it out"
	case a.used && a.Field != "" && worseValue(a.Field, tenth(a.Value), tenth(a.best)):
		f.Severity = min(Info, j.severity[staleExceptionID])
		f.Message = fmt.Sprintf("the baseline accepts %s for %s%s, and it is down to %s (%s)",
			fieldAmount(a.Field, a.Value), a.Kernel, onArch(a.Arch), number(a.best), a.Rule)
		if !MoreIsWorse(a.Field) {
			f.Message = fmt.Sprintf("the baseline accepts %s for %s%s, and it is up to %s (%s)",
				fieldAmount(a.Field, a.Value), a.Kernel, onArch(a.Arch), number(a.best), a.Rule)
		}
		f.Help = "occlint baseline prune lowers it"
	default:
		return
	}
	j.report(f)
}

// hasArch reports whether the log has a judged kernel of one of the
// architectures; an empty list asks for none.
func (j *judge) hasArch(names []string) bool {
	if len(names) == 0 {
		return true
	}
	id := strings.Join(names, " ")
	has, known := j.hasArchs[id]
	if !known {
		for _, a := range j.archs {
			has = has || a.judged && a.units > 0 && a.among(names)
		}
		j.hasArchs[id] = has
	}
	return has
}
