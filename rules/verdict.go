package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/share"
	"github.com/occlint/occlint/parse"
)

// reported is what a rule reports of a subject.
type reported struct {
	rule    *Rule
	finding Finding
}

// run asks every rule that is on: once for each subject, and once for the log.
func (j *judge) run() {
	var asked []*Rule
	for _, r := range j.rules {
		if j.on(r.ID) {
			asked = append(asked, r)
		}
	}
	j.needs = needs()
	share.Do(len(j.subjects)-1, share.Parts(len(j.subjects)-1, 512), func(_, from, to int) {
		for _, u := range j.subjects[from+1 : to+1] {
			u.measure(j.needs)
		}
	})
	share.Do(len(j.subjects)-1, share.Parts(len(j.subjects)-1, 512), func(_, from, to int) {
		for _, u := range j.subjects[from+1 : to+1] {
			u.applyRules(asked)
		}
	})
	byRule := j.sayOfEach(asked)
	for i, r := range asked {
		j.findings = append(j.findings, byRule[i]...)
		byRule[i] = nil // a finding is large, and a log can give a million
		if r.Log != nil {
			j.rule = r
			r.Log(&Totals{j})
		}
	}
}

func (u *Subject) applyRules(rules []*Rule) {
	for _, r := range rules {
		if r.Kernel != nil {
			u.rule = r
			r.Kernel(u)
		}
	}
}

// sayOfEach says what was found of a subject of each of its records. It returns
// the findings by rule, in the order of the log.
func (j *judge) sayOfEach(asked []*Rule) [][]Finding {
	number := map[*Rule]int{}
	for i, r := range asked {
		number[r] = i
	}
	var records []int32
	for i, n := range j.subjectOf {
		if n != 0 && len(j.subjects[n].reports) > 0 {
			records = append(records, int32(i))
		}
	}
	parts := share.Parts(len(records), 64)
	shares := make([][][]Finding, parts)
	share.Do(len(records), parts, func(part, from, to int) {
		byRule := make([][]Finding, len(asked))
		for _, i := range records[from:to] {
			u := j.subjects[j.subjectOf[i]]
			k := j.log.Kernel(int(i))
			for n := range u.reports {
				at := number[u.reports[n].rule]
				byRule[at] = append(byRule[at], j.of(u, &k, &u.reports[n]))
			}
		}
		shares[part] = byRule
	})
	byRule := make([][]Finding, len(asked))
	for _, s := range shares {
		for i := range s {
			byRule[i] = append(byRule[i], s[i]...)
		}
	}
	return byRule
}

// of makes the finding on one record of what was found of its subject: who,
// where, and which rule. It is the only place where that is said.
func (j *judge) of(u *Subject, k *parse.Kernel, what *reported) Finding {
	f := what.finding
	f.Notes = append([]string(nil), f.Notes...)
	subject := name.Qualified(k.Name)
	f.Message = subject + " " + f.Message
	f.Subject = f.Message[:len(subject)] // one string for both
	f.Kernel, f.Parent, f.Arch = k.Name, k.Parent, u.arch.name
	if strings.Contains(f.Message, ParentName) {
		f.Message = strings.ReplaceAll(f.Message, ParentName, name.Qualified(k.Parent))
	}
	if f.Parent != "" && f.Detail == "" {
		f.Detail = name.Canonical(f.Parent)
	}
	if f.ofCompiler && u.compiled() >= 0 {
		f.Log = j.log.Kernel(u.compiled()).Place
	}
	if f.Log == (parse.Place{}) {
		f.Log = k.Place
	}
	if f.LogText == "" {
		f.LogText = usedText(u.record)
	}
	if m := u.decl.Message; m.Set && m.Value != "" {
		f.Notes = append(f.Notes, m.Value)
	}
	if f.Place == (parse.Place{}) {
		f.Place = j.anchor(u, k, &f)
	}
	return j.complete(f, what.rule)
}

// complete fills in what a finding of a rule has by default.
func (j *judge) complete(f Finding, r *Rule) Finding {
	f.Rule = r.ID
	if f.Severity == Off {
		f.Severity = j.severity[r.ID]
		// Lower where nothing is declared, unless the policy sets one.
		if _, set := j.policy.Severities[r.ID]; f.undeclared && !set {
			f.Severity = min(Warning, f.Severity)
		}
	}
	if f.guessed {
		f.Severity = min(Warning, f.Severity)
	}
	if f.Place == (parse.Place{}) {
		f.Place = cmp.Or(f.Declared.Place, f.Log)
	}
	return f
}

// report adds a finding of the running rule on the log as a whole.
func (j *judge) report(f Finding) { j.findings = append(j.findings, j.complete(f, j.rule)) }

// anchor is the place that a finding points to: the source line when one is
// known, else the source file that was compiled, else the line that declared
// the limit, else the log.
func (j *judge) anchor(u *Subject, k *parse.Kernel, f *Finding) parse.Place {
	if f.Declared.From == FromSource && f.Declared.Place.File != "" {
		return f.Declared.Place
	}
	if s := u.decl.Source; s.Set && s.Value.File != "" {
		return s.Value
	}
	// A linker's record has many sources; the compiler's has one.
	if c := u.compiled(); c >= 0 {
		if file := j.sourceOf(j.log.Kernel(c).Compilation); file != "" {
			return parse.Place{File: file}
		}
	}
	if file := j.sourceOf(k.Compilation); file != "" {
		return parse.Place{File: file}
	}
	if f.Declared.Place.File != "" {
		return f.Declared.Place
	}
	return f.Log
}

func (j *judge) sourceOf(compilation int) string {
	if compilation < 0 || compilation >= len(j.log.Compilations) {
		return ""
	}
	return j.log.Compilations[compilation].Source
}

// usedText rebuilds what the log says of a record: the Used line, or the stack
// line of a function that has none.
func usedText(k *parse.Class) string {
	if !k.Registers.Stated() {
		return stackText(k)
	}
	var b strings.Builder
	if k.Stage == parse.StageBinary {
		return statedText(k)
	}
	fmt.Fprintf(&b, "Used %s registers", k.Registers)
	for _, part := range [...]struct {
		n            parse.Count
		before, unit string
	}{
		{k.Barriers, "used ", " barriers"},
		{k.CumulativeStackBytes, "", " bytes cumulative stack size"},
		{k.SharedBytes, "", " bytes smem"},
	} {
		if part.n.Stated() {
			fmt.Fprintf(&b, ", %s%s%s", part.before, part.n, part.unit)
		}
	}
	return b.String()
}

func stackText(k *parse.Class) string {
	if !k.StackBytes.Stated() || !k.SpillStoreBytes.Stated() || !k.SpillLoadBytes.Stated() {
		return ""
	}
	return fmt.Sprintf("%s bytes stack frame, %s bytes spill stores, %s bytes spill loads",
		k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes)
}
