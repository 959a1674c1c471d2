package report

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

// block is what one message stands for: the worst finding of a family, the
// other findings on the same kernel that belong beside it, and everything
// that they stand for.
type block struct {
	worst *rules.Finding
	// also are the worst's companions on its kernel and architecture: loads
	// beside stores, a cap beside the spill.
	also []*rules.Finding
	// all has every finding that the block stands for, worst included.
	all []*rules.Finding

	advice []string // in text, see advise

	weight weight // of worst
}

// blocks groups findings and sorts the messages worst first: by severity, then
// by rule in the order of the documentation, then by how far the value is past
// its limit, then as the findings come.
func blocks(findings []*rules.Finding, noGroup bool) []*block {
	index := map[string]int{}
	var list []block
	for _, f := range findings {
		key := groupKey(f, noGroup)
		i, ok := index[key]
		if !ok {
			i = len(list)
			index[key] = i
			list = append(list, block{})
		}
		list[i].all = append(list[i].all, f)
	}
	order := ruleOrder()
	sorted := make([]*block, len(list))
	for i := range list {
		b := &list[i]
		b.settle()
		b.weight = order.weigh(b.worst)
		sorted[i] = b
	}
	slices.SortStableFunc(sorted, func(a, b *block) int { return a.weight.compare(b.weight) })
	return sorted
}

// ranks is the place of each rule in the documentation.
type ranks map[string]int

// weight is what decides which findings come first.
type weight struct {
	severity rules.Severity
	rank     int // of the rule
	excess   float64
}

func (r ranks) weigh(f *rules.Finding) weight { return weight{f.Severity, r[f.Rule], excess(f)} }

// compare orders findings worst first: by severity, then by rule, then by how
// far the value is past its limit.
func (w weight) compare(other weight) int {
	return cmp.Or(cmp.Compare(other.severity, w.severity), cmp.Compare(w.rank, other.rank), cmp.Compare(other.excess, w.excess))
}

// ruleOrder ranks the rules as the registry lists them; a log that can't be
// judged comes before all.
func ruleOrder() ranks {
	order := ranks{}
	for i, r := range rules.Registry() {
		order[r.ID] = i + 1
	}
	order["untrusted-log"] = 0
	return order
}

// groupKey tells which block a finding belongs to. A family is the kernels of
// one name without template arguments; architectures are not told apart.
// Spills and the cap on the same kernel belong together in any case.
func groupKey(f *rules.Finding, noGroup bool) string {
	topic := subjectRule(f)
	switch topic {
	case "spill-budget", "capped-and-spilling":
		topic = "spills"
	case "compiler-remark":
		topic += f.Detail // the remark's code: other remarks mean other things
	}
	if f.Regressed() != "" {
		topic = "worse " + topic
	}
	switch {
	case f.Kernel == "":
		return strings.Join([]string{topic, f.Arch, f.Message, place(f.Place)}, "\x00")
	case noGroup:
		return strings.Join([]string{topic, f.Arch, f.Kernel, f.Parent, f.Log.File, itoa(f.Log.Line)}, "\x00")
	}
	return strings.Join([]string{topic, name.Family(f.Kernel)}, "\x00")
}

// subjectRule is the rule that a finding is about: of a regression, the one
// whose finding got worse.
func subjectRule(f *rules.Finding) string { return cmp.Or(f.Regressed(), f.Rule) }

// settle picks the worst member and its companions.
func (b *block) settle() {
	b.worst = b.all[0]
	for _, f := range b.all[1:] {
		if worse(f, b.worst) {
			b.worst = f
		}
	}
	for _, f := range b.all {
		if f != b.worst && f.Kernel == b.worst.Kernel && f.Arch == b.worst.Arch &&
			f.Kernel != "" && (f.Rule != b.worst.Rule || subjectRule(f) != subjectRule(b.worst) || f.Field != b.worst.Field) {
			b.also = append(b.also, f)
		}
	}
}

// worse orders findings of one family: by severity, then the spill itself
// before the cap, then by how far the value is past the limit.
func worse(a, b *rules.Finding) bool {
	if a.Severity != b.Severity {
		return a.Severity > b.Severity
	}
	if x, y := subjectRule(a), subjectRule(b); x != y {
		return x == "spill-budget"
	}
	// Stores and loads are both bytes: 500 of one are worse than 100 of the other.
	return a.Unit == b.Unit && excess(a) > excess(b)
}

// excess is how far a finding is past its limit, in its unit; where there is
// no limit, the whole value. Of several numbers it is the most distant one.
func excess(f *rules.Finding) float64 {
	most := math.Inf(-1)
	for _, m := range measures(f) {
		over := m.Value - m.Limit
		if !rules.MoreIsWorse(m.Field) {
			over = -over
		}
		most = max(most, over)
	}
	return most
}

// measures are the numbers of a finding.
func measures(f *rules.Finding) []rules.Measure {
	if len(f.Measures) > 0 {
		return f.Measures
	}
	return []rules.Measure{{Field: f.Field, Value: f.Value, Limit: f.Limit, Unlimited: f.Unlimited}}
}

// kernels counts the different kernels, a function for each kernel that it was
// compiled for, and lists the architectures that a block stands for.
func (b *block) kernels() (n int, archs []string) {
	seen := map[[2]string]bool{}
	for _, f := range b.all {
		seen[[2]string{f.Kernel, f.Parent}] = true
		if arch := escaped(f.Arch); arch != "" && !slices.Contains(archs, arch) {
			archs = append(archs, arch)
		}
	}
	slices.SortFunc(archs, compareArch)
	return len(seen), archs
}

// compareArch orders sm_75 before sm_100, and sm_90 before sm_90a.
func compareArch(a, b string) int {
	return cmp.Or(cmp.Compare(archNumber(a), archNumber(b)), strings.Compare(a, b))
}

func archNumber(s string) (n int) {
	for _, c := range s {
		if c >= '0' && c <= '9' && n < 1<<20 {
			n = n*10 + int(c-'0')
		}
	}
	return n
}
