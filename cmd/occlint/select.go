package main

import (
	"iter"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// matcher takes a kernel that any of the patterns of a flag matches; nil when
// there are none. A flag that only selects what is shown takes names as tables
// show them too: without their scope, without template arguments, or without
// both.
func matcher(flag string, patterns []string) (func(mangled string) bool, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	var compiled []*name.Pattern
	for _, text := range patterns {
		p, err := name.CompilePattern(text)
		if err != nil {
			return nil, usageError("%s: %w", flag, err)
		}
		compiled = append(compiled, p)
		for _, form := range shownForms(text) {
			if p, err := name.CompilePattern(form); err == nil {
				compiled = append(compiled, p)
			}
		}
	}
	return func(mangled string) bool {
		return slices.ContainsFunc(compiled, func(p *name.Pattern) bool { return p.Match(mangled) })
	}, nil
}

// shownForms are the patterns of the names that a table shows as text.
func shownForms(text string) []string {
	if strings.HasPrefix(text, "re:") || strings.HasPrefix(text, "_Z") || strings.HasPrefix(text, "*") {
		return nil
	}
	forms := []string{"*::" + text}
	if !strings.Contains(text, "<") {
		forms = append(forms, text+"<*>", "*::"+text+"<*>")
	}
	return forms
}

// meant names the kernels that patterns which match nothing probably meant;
// empty where there are none.
func meant(patterns []string, names iter.Seq[string]) string {
	near := name.NewNearby(names)
	var list []string
	for _, p := range patterns {
		for _, n := range near.To(p) {
			if !slices.Contains(list, n) && len(list) < 3 {
				list = append(list, n)
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "; did you mean " + name.EscapeLines(strings.Join(list, ", ")) + "?"
}
