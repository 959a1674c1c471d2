package starter

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/compare"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/name"
)

// mostEntries bounds the config of a huge log: it is for people to read, and
// what needs more registers comes first.
const mostEntries = 2000

// matched gives each family the pattern that selects its kernels, and sorts
// them. A family whose kernels another entry would take, or whose pattern
// would miss one of them, gets entries of mangled names. left counts the
// families that there is no room for.
func matched(byName map[string]*family) (entries []*family, left int) {
	var all []*family
	for _, word := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[word])
	}
	slices.SortStableFunc(all, func(a, b *family) int { return cmp.Compare(b.most(), a.most()) })
	list := all[:min(len(all), mostEntries)]
	for _, f := range list {
		f.match = familyPattern(f.mangled)
	}
	slices.SortStableFunc(list, func(a, b *family) int { return strings.Compare(a.match, b.match) })
	set, owners := compile(list)

	var exact []*family
	for i, f := range all {
		mine := i < len(list)
		switch {
		case f.owns(set, owners, mine):
			if mine {
				entries = append(entries, f)
			} else {
				left++
			}
		default:
			for _, m := range slices.Sorted(slices.Values(f.mangled)) {
				exact = append(exact, &family{match: literal(m), mangled: []string{m}, budgets: f.budgets})
			}
		}
	}
	return append(entries, exact...), left
}

// owns reports whether each of the family's kernels is judged by its own
// entry, or, where it has none, by no other one. Per field the later entry of
// a config wins.
func (f *family) owns(set *name.Set, owners []*family, hasEntry bool) bool {
	var matches []int
	for _, m := range f.mangled {
		matches = set.Match(m, matches[:0])
		switch {
		case len(matches) == 0 && hasEntry, len(matches) > 0 && owners[matches[len(matches)-1]] != f:
			return false
		}
	}
	return true
}

// compile compiles the patterns of families; owners has the family of each
// pattern of the set.
func compile(list []*family) (set *name.Set, owners []*family) {
	var patterns []*name.Pattern
	for _, f := range list {
		if p, err := name.CompilePattern(f.match); err == nil {
			patterns = append(patterns, p)
			owners = append(owners, f)
		}
	}
	return name.NewSet(patterns), owners
}

// familyPattern is the qualified name, with * for template arguments where
// the kernels have any.
func familyPattern(mangled []string) string {
	pattern := elideArguments(name.Qualified(mangled[0]))
	for _, m := range mangled[1:] {
		if elideArguments(name.Qualified(m)) != pattern {
			return literal(name.Family(mangled[0])) + "*"
		}
	}
	return pattern
}

// elideArguments writes <*> for each list of template arguments:
// "lin::gemm<float, (int)64>" is "lin::gemm<*>". The < of an operator's name
// opens no list.
func elideArguments(qualified string) string {
	var b strings.Builder
	depth, parens := 0, 0
	for i, r := range qualified {
		switch {
		case depth > 0 && r == '(':
			parens++
		case depth > 0 && r == ')':
			parens--
		case r == '<' && parens == 0 && (depth > 0 || !operatorSign(qualified[:i])):
			if depth++; depth == 1 {
				b.WriteString("<*>")
			}
			continue
		case r == '>' && parens == 0 && depth > 0:
			depth--
			continue
		}
		if depth == 0 {
			b.WriteString(literal(string(r)))
		}
	}
	return b.String()
}

// operatorSign reports whether a < that follows is part of an operator's name.
func operatorSign(before string) bool {
	scope, ok := strings.CutSuffix(strings.TrimSuffix(before, "<"), "operator")
	return ok && (scope == "" || strings.HasSuffix(scope, "::"))
}

// literal takes the meaning from the signs of a pattern.
func literal(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`).Replace(s)
}

// write writes one entry of the config.
func (f *family) write(b *bufio.Writer) {
	fewest, most := int64(mostRegisters), f.most()
	for _, u := range f.budgets {
		fewest = min(fewest, u.fewest)
	}
	registers := fmt.Sprintf("%d registers", most)
	if fewest < most {
		registers = fmt.Sprintf("%d to %d registers", fewest, most)
	}
	fmt.Fprintf(b, "  - match: %s # %s, %s\n", config.Scalar(f.match), plural(len(f.mangled), "kernel", "kernels"), registers)
	archs := slices.SortedFunc(maps.Keys(f.budgets), compare.ByArch)
	first := f.budgets[archs[0]].words()
	same := !slices.ContainsFunc(archs, func(a string) bool { return !slices.Equal(f.budgets[a].words(), first) })
	if same || archs[0] == "" {
		fmt.Fprintf(b, "    %s\n", strings.Join(f.mostWords(), "\n    "))
		return
	}
	var parts []string
	for _, a := range archs {
		parts = append(parts, config.Scalar(a)+": {"+strings.Join(f.budgets[a].words(), ", ")+"}")
	}
	fmt.Fprintf(b, "    by_arch: {%s}\n", strings.Join(parts, ", "))
}

// most is the most registers that one of the kernels uses.
func (f *family) most() int64 {
	most := int64(0)
	for _, u := range f.budgets {
		most = max(most, u.registers)
	}
	return most
}

// words are the budgets as the config writes them.
func (u budget) words() []string {
	rounded := (u.registers + registerUnit - 1) / registerUnit * registerUnit
	words := []string{fmt.Sprintf("registers: %d", max(u.registers, min(rounded, mostRegisters)))}
	if u.shared > 0 {
		words = append(words, fmt.Sprintf("shared: %d", u.shared))
	}
	return words
}

// mostWords are the budgets that hold on every architecture.
func (f *family) mostWords() []string {
	var all budget
	for _, u := range f.budgets {
		all.registers, all.shared = max(all.registers, u.registers), max(all.shared, u.shared)
	}
	return all.words()
}
