package compare

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// matched gives each family the pattern that selects its kernels, and sorts
// them. A family whose pattern would miss one of its kernels, or whose kernels
// a later pattern would take, is split into entries of mangled names.
func matched(byName map[string]*family) []*family {
	var list, exact []*family
	for _, word := range slices.Sorted(maps.Keys(byName)) {
		f := byName[word]
		f.match = familyPattern(f.mangled)
		list = append(list, f)
	}
	slices.SortStableFunc(list, func(a, b *family) int { return strings.Compare(a.match, b.match) })
	set, compiled := compile(list)
	last := map[int]int{}
	for i, p := range compiled {
		last[p] = i
	}
	var kept []*family
	var scratch []int
	for i, f := range list {
		mine, ok := last[i]
		for _, m := range f.mangled {
			scratch = set.Match(m, scratch[:0])
			// Per field the later entry wins, so mine has to be the last.
			ok = ok && len(scratch) > 0 && scratch[len(scratch)-1] == mine
		}
		if ok {
			kept = append(kept, f)
			continue
		}
		for _, m := range slices.Sorted(slices.Values(f.mangled)) {
			exact = append(exact, &family{match: literal(m), mangled: []string{m}, budgets: f.budgets})
		}
	}
	return append(kept, exact...)
}

// compile compiles the patterns of families; indexes lists the family of each
// pattern of the set.
func compile(list []*family) (set *name.Set, indexes []int) {
	var patterns []*name.Pattern
	for i, f := range list {
		if p, err := name.CompilePattern(f.match); err == nil {
			patterns = append(patterns, p)
			indexes = append(indexes, i)
		}
	}
	return name.NewSet(patterns), indexes
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
	fewest, most := int64(mostRegisters), int64(0)
	for _, u := range f.budgets {
		fewest, most = min(fewest, u.fewest), max(most, u.registers)
	}
	registers := fmt.Sprintf("%d registers", most)
	if fewest < most {
		registers = fmt.Sprintf("%d to %d registers", fewest, most)
	}
	fmt.Fprintf(b, "  - match: %s # %s, %s\n", yamlString(f.match), plural(len(f.mangled), "kernel"), registers)
	archs := slices.SortedFunc(maps.Keys(f.budgets), compareArchs)
	first := f.budgets[archs[0]].words()
	same := !slices.ContainsFunc(archs, func(a string) bool { return !slices.Equal(f.budgets[a].words(), first) })
	if same || archs[0] == "" {
		fmt.Fprintf(b, "    %s\n", strings.Join(f.mostWords(), "\n    "))
		return
	}
	var parts []string
	for _, a := range archs {
		parts = append(parts, yamlString(a)+": {"+strings.Join(f.budgets[a].words(), ", ")+"}")
	}
	fmt.Fprintf(b, "    by_arch: {%s}\n", strings.Join(parts, ", "))
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
