package rules

import (
	"fmt"
	"strings"
)

func unmatched() *Rule {
	return &Rule{
		ID:    "unmatched",
		Title: "a budget or an architecture that matches nothing",
		Why: "The config declares something for a kernel or an architecture, and the log has none like it. The kernel was renamed, its pattern is misspelt, or the log is not the one that you think it is: " +
			"either way the gate does not stand where you believe. With `--partial` the log is known to cover only a part of the build, and the finding is a note.",
		Example: Example{
			Log:    exampleFree64,
			Config: "version: 1\nkernels:\n  - match: \"lin::sgemm<*>\"\n    spills: 0\n",
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "lin::sgemm<*>", SpillStoreBytes: Declared[int64](0), SpillLoadBytes: Declared[int64](0)})
			},
			Finding: `"lin::sgemm<*>" matches no kernel of the log`,
		},
		Fix:     "`occlint show` lists the names as patterns see them. Correct the pattern, or delete the entry if the kernel is gone. For an architecture, build for it or take it out of `archs`.",
		Default: Error,
		Options: []Option{
			{"archs", "The architectures that must be in the log."},
			{"match", "The whole demangled name without parameters, or the mangled one; `*` and `?`, or `re:` and a regular expression."},
		},
		Log: func(t *Totals) { checkUnmatched(t.judge) },
	}
}

func checkUnmatched(j *judge) {
	if j.judgedCount == 0 {
		return // untrusted-log says that there is nothing at all
	}
	severity := j.severity[j.rule.ID]
	if j.policy.Partial {
		severity = Info
	}
	// That not one of them is there, untrusted-log says.
	missing := j.hasJudgedArch()
	for i, a := range j.policy.Archs {
		if missing && !j.archSeen[i] {
			j.report(Finding{
				Severity: severity,
				Message:  fmt.Sprintf("the log has no kernel for %s, which is to be judged", a.Arch),
				Arch:     a.Arch,
				Declared: a.Origin,
				Notes:    []string{"the log has " + j.archList()},
				Help:     "build for it, or take it out of archs",
			})
		}
	}
	suggested := 0
	for i := range j.declared.list {
		d := &j.declared.list[i]
		if j.declared.judged[i] || d.Origin.From != FromConfig && !d.forNone() || d.isDefault() || d.Inherited || j.dormant(d) {
			continue
		}
		f := Finding{
			Severity: severity,
			Message:  fmt.Sprintf("%q matches no kernel of the log", d.Match),
			Detail:   d.Match,
			Declared: d.Origin,
			Help:     "correct the pattern (occlint show lists the names), or delete the entry",
		}
		if d.forNone() {
			f.Message = fmt.Sprintf("the log has no kernel %q, which a comment sets budgets for", d.Match)
			f.Help = "build what has the kernel, or delete the comment"
		}
		if len(d.Archs) > 0 {
			f.Message = fmt.Sprintf("%q matches no kernel of the log for %s", d.Match, strings.Join(d.Archs, ", "))
			f.Detail += " " + strings.Join(d.Archs, ",")
		}
		if j.declared.seen[i] {
			f.Message = fmt.Sprintf("%q matches only kernels of architectures that it is not judged for", d.Match)
			f.Notes = append(f.Notes, "the log has "+j.archList())
		} else if suggested++; suggested <= mostSuggested {
			if names := j.probablyMeant(d.Match); len(names) > 0 {
				f.Notes = append(f.Notes, "the log has "+strings.Join(names, ", "))
			}
		}
		j.report(f)
	}
}

// forNone reports whether a declaration of the source is for no kernel of the
// log.
func (d *Declaration) forNone() bool {
	return d.Origin.From == FromSource && d.Names != nil && len(d.Names) == 0
}

// isDefault reports whether a declaration is for every kernel.
func (d *Declaration) isDefault() bool { return d.Match == "" && d.Names == nil }

// dormant reports whether a declaration is only for architectures that are not
// judged: then it matches nothing on purpose.
func (j *judge) dormant(d *Declaration) bool {
	if len(d.Archs) == 0 || len(j.policy.Archs) == 0 {
		return false
	}
	for _, own := range d.Archs {
		for _, judged := range j.policy.Archs {
			if covers(j.table, judged.Arch, own) || covers(j.table, own, judged.Arch) {
				return false
			}
		}
	}
	return true
}

// archList names the architectures that the log has.
func (j *judge) archList() string {
	list := j.namedArchs(false)
	if len(list) == 0 {
		return "kernels of no named architecture"
	}
	if more := len(list) - mostArchs; more > 0 {
		list = append(list[:mostArchs:mostArchs], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ")
}
