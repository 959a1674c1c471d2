package report

import (
	"fmt"
	"slices"
	"strings"
)

// summary writes the verdict, and for a run without a config how to start a
// gate.
func (t *textWriter) summary() {
	t.verdict()
	if !t.in.Result.Trusted() {
		for _, l := range t.wrap("", "This is no verdict: the log can't be trusted as a whole, see untrusted-log above.") {
			t.print(t.style.Error(l), "\n")
		}
	}
	t.starter()
}

// verdict writes what was judged and how much was found, on a line.
func (t *textWriter) verdict() {
	in := t.in
	c := count(in.Result.Findings)
	scope, found := in.scope(), c.found(in.ShowInfo)
	var look func(string) string
	switch {
	case c.errors > 0:
		look = t.style.Error
	case c.warnings > 0:
		look = t.style.Warning
	default:
		look = t.style.Good
	}
	line := scope + ": " + found + c.setAside(in.Result.NotJudged)
	for i, l := range t.wrap("", line) {
		if i == 0 {
			l = strings.Replace(l, scope+": "+found, t.style.Strong(scope)+": "+look(found), 1)
		}
		t.print(l, "\n")
	}
}

// scope says how many kernels were judged and on what.
func (in *Input) scope() string {
	archs := make([]string, len(in.Result.Archs))
	for i, a := range in.Result.Archs {
		archs[i] = escaped(a)
	}
	slices.SortFunc(archs, compareArch)
	s := plural(in.Result.Entries, "kernel")
	switch n := len(archs); {
	case n == 0:
		return s
	case n <= 3:
		return s + " on " + strings.Join(archs, ", ")
	default:
		return s + " on " + plural(n, "architecture") + " (" + list(archs, 8) + ")"
	}
}

// found lists the findings by severity.
func (c counts) found(infoShown bool) string {
	var parts []string
	if c.errors > 0 {
		parts = append(parts, plural(c.errors, "error"))
	}
	if c.warnings > 0 {
		parts = append(parts, plural(c.warnings, "warning"))
	}
	if c.infos > 0 {
		s := fmt.Sprintf("%d info", c.infos)
		if !infoShown {
			s += " (--show-info lists them)"
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// setAside lists what was found and accepted, and what was not judged.
func (c counts) setAside(notJudged int) string {
	var s strings.Builder
	for _, p := range []struct {
		n    int
		word string
	}{{c.suppressed, "suppressed"}, {c.baselined, "in the baseline"}, {c.known, "as in the base"}, {notJudged, "not judged"}} {
		if p.n > 0 {
			fmt.Fprintf(&s, ", %d %s", p.n, p.word)
		}
	}
	return s.String()
}

// starter shows the config that makes a gate of a run without one.
func (t *textWriter) starter() {
	in := t.in
	if in.ConfigFile != "" || in.Result.Judged == 0 || !in.Result.Trusted() {
		return // there is a config, or no log to count kernels by
	}
	t.newline()
	for _, l := range t.wrap("", "Without a config nothing has a budget. These three lines in .occlint.yml start a gate, and occlint init writes one with the budgets of a log:") {
		t.print(l, "\n")
	}
	t.print("\n  version: 1\n")
	t.print(fmt.Sprintf("  expect: {kernels: %d}\n", in.Result.Entries))
	t.print("  defaults: {spills: 0}\n")
}
