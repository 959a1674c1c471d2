package declare

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/source"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// ignored is one rule that a comment switches off for a kernel.
type ignored struct {
	rule   source.Ignore
	kernel string
}

// budgeted is a comment that sets budgets for a kernel.
type budgeted struct {
	place  parse.Place
	text   string
	kernel string
}

// unmatched declares the budgets whose kernel the log does not have, for no
// kernel at all: the rules say so.
func (j *joiner) unmatched() {
	used := map[parse.Place]bool{}
	for _, g := range j.list {
		for _, c := range g.answer.Comments {
			if c == nil {
				continue
			}
			for _, b := range c.Budgets {
				used[b.Place] = true
			}
		}
	}
	for _, b := range j.budgeted {
		if !used[b.place] {
			j.policy.Declarations = append(j.policy.Declarations, rules.Declaration{
				Match: b.kernel, Names: []string{}, Origin: j.origin(b.place, b.text),
			})
		}
	}
}

// readComments checks the comments of all kernels, also of those that the log
// does not have.
func (j *joiner) readComments(project *source.Project) {
	seen := map[parse.Place]bool{} // of comments; kernels of one macro share theirs
	for _, k := range project.Kernels() {
		c := k.Comments()
		if c == nil {
			continue
		}
		var fresh []parse.Place
		for _, one := range c.Budgets {
			if seen[one.Place] {
				continue
			}
			fresh = append(fresh, one.Place)
			if _, err := budget(one, j.origin(one.Place, one.Text)); err != "" {
				j.faults.add(j.place(one.Place), "%s", err)
			}
			if !k.Conditional() && (len(j.budgeted) == 0 || j.budgeted[len(j.budgeted)-1].place != one.Place) {
				j.budgeted = append(j.budgeted, budgeted{one.Place, one.Text, k.Name})
			}
		}
		for _, ig := range c.Ignores {
			if seen[ig.Place] {
				continue
			}
			fresh = append(fresh, ig.Place)
			if _, ok := rules.ByID(ig.Rule); !ok {
				j.faults.add(j.place(ig.Place), "there is no rule %s (occlint rules lists them)", strconv.Quote(ig.Rule))
				continue
			}
			j.ignored = append(j.ignored, &ignored{ig, k.Name})
		}
		for _, p := range fresh {
			seen[p] = true
		}
	}
}

func commentPlaces(all []*source.Comments) string {
	var b strings.Builder
	for _, c := range all {
		b.WriteByte('|')
		if c == nil {
			continue
		}
		for _, one := range c.Budgets {
			b.WriteString(one.Field + " " + one.Place.File + ":" + strconv.Itoa(one.Place.Line) + ":" + strconv.Itoa(one.Place.Column) + " ")
		}
		for _, ig := range c.Ignores {
			b.WriteString(ig.Rule + " " + ig.Place.File + ":" + strconv.Itoa(ig.Place.Line) + ":" + strconv.Itoa(ig.Place.Column) + " ")
		}
	}
	return b.String()
}

// budgets sets what the comments say of a kernel. Where the log's kernel can
// be one of several, each limit counts for it, and what the launch is said to
// be only when all of them say the same.
func (j *joiner) budgets(d *rules.Declaration, a source.Answer) {
	if len(a.Comments) == 0 {
		return
	}
	fields := map[string][]source.Budget{}
	for _, c := range a.Comments {
		if c == nil {
			continue
		}
		for _, b := range c.Budgets {
			fields[b.Field] = append(fields[b.Field], b)
		}
	}
	for _, field := range sortedKeys(fields) {
		list := fields[field]
		slices.SortFunc(list, func(a, b source.Budget) int { // the same order in every run
			return cmp.Or(strings.Compare(a.Place.File, b.Place.File), a.Place.Line-b.Place.Line, a.Place.Column-b.Place.Column)
		})
		for _, b := range list[1:] {
			if first := list[0]; b.Value != first.Value {
				j.disagree(a, first, b)
			}
		}
		if launch := field == "dynamic_shared" || field == "block"; launch && !everyComment(a.Comments, field) {
			continue
		}
		for _, b := range list {
			if set, err := budget(b, j.origin(b.Place, b.Text)); err == "" {
				var own rules.Declaration
				set(&own)
				strictest(d, &own)
			}
		}
	}
}

// disagree reports two numbers for what can be one kernel, once.
func (j *joiner) disagree(a source.Answer, first, b source.Budget) {
	place := j.place(first.Place)
	text := b.Field + " of " + a.Name + " is " + first.Value + " here and " + b.Value + " at " + j.named(j.tree, b.Place.File) + ":" + strconv.Itoa(b.Place.Line) +
		", and which of them a kernel of the log is cannot be told: say the same in both comments, or move them to the config, by the kernels' mangled names"
	if !slices.Contains(j.faults, Fault{place, text}) {
		j.faults.add(place, "%s", text)
	}
}

func everyComment(all []*source.Comments, field string) bool {
	return !slices.ContainsFunc(all, func(c *source.Comments) bool {
		return c == nil || !slices.ContainsFunc(c.Budgets, func(b source.Budget) bool { return b.Field == field })
	})
}

// strictest adds to d what one comment sets; of two limits the tighter stays.
func strictest(d, own *rules.Declaration) {
	for _, b := range rules.Budgets() {
		have, f := b.Declared(d), b.Declared(own)
		if f.Set && (!have.Set || b.Tighter(f.Value, have.Value)) {
			b.Declare(d, f)
		}
	}
	if own.DynamicShared.Set {
		d.DynamicShared = own.DynamicShared
	}
	if own.Block.Set {
		d.Block = own.Block
	}
}

// ignore adds the suppressions. One for a kernel that the log does not have
// matches nothing, and the rules say so. Where the log's kernel can be one of
// several, all of them must accept the rule.
func (j *joiner) ignore() {
	type key struct {
		place parse.Place
		rule  string
	}
	names := map[key][]string{}
	for _, g := range j.list {
		all := slices.Clone(g.names)
		for _, a := range sortedKeys(g.byArch) {
			all = append(all, g.byArch[a]...)
		}
		for _, c := range g.answer.Comments {
			if c == nil {
				continue
			}
			for _, ig := range c.Ignores {
				if everyIgnore(g.answer.Comments, ig.Rule) {
					k := key{ig.Place, ig.Rule}
					names[k] = append(names[k], all...)
				}
			}
		}
	}
	for _, ig := range j.ignored {
		own := names[key{ig.rule.Place, ig.rule.Rule}]
		if own == nil {
			own = []string{}
		}
		j.policy.Ignores = append(j.policy.Ignores, rules.Ignore{
			Rule: ig.rule.Rule, Match: ig.kernel, Names: own, Reason: ig.rule.Reason, Origin: j.origin(ig.rule.Place, ig.rule.Text),
		})
	}
}

func everyIgnore(all []*source.Comments, rule string) bool {
	return !slices.ContainsFunc(all, func(c *source.Comments) bool {
		return c == nil || !slices.ContainsFunc(c.Ignores, func(ig source.Ignore) bool { return ig.Rule == rule })
	})
}
