package rules

import (
	"errors"
	"fmt"
	"slices"

	"github.com/occlint/occlint/internal/name"
)

// target says which kernels something is for: the mangled names that it lists,
// or else a pattern. An empty pattern is for everything, also for what has no
// name, and so is a lone star.
type target struct {
	match string
	names []string
}

// matcher finds which of many targets a name belongs to.
type matcher struct {
	set    *name.Set
	index  []int // of the set's patterns among the targets
	exact  map[string][]int
	always []int
	found  []int
}

func newMatcher(what string, targets []target) (*matcher, error) {
	m := &matcher{exact: map[string][]int{}}
	var compiled []*name.Pattern
	var errs []error
	for i, t := range targets {
		switch {
		case t.names != nil:
			for _, n := range t.names {
				m.exact[n] = append(m.exact[n], i)
			}
		case t.match == "", t.match == "*":
			m.always = append(m.always, i)
		default:
			p, err := name.CompilePattern(t.match)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s %d matches %q: %w", what, i+1, t.match, err))
				continue
			}
			compiled = append(compiled, p)
			m.index = append(m.index, i)
		}
	}
	if len(compiled) > 0 {
		m.set = name.NewSet(compiled)
	}
	return m, errors.Join(errs...)
}

// fork returns a matcher for another goroutine.
func (m *matcher) fork() *matcher {
	f := *m
	f.found = nil
	return &f
}

// match appends the indexes of the targets that a name belongs to, each once
// and in ascending order.
func (m *matcher) match(mangled string, dst []int) []int {
	start := len(dst)
	dst = append(dst, m.always...)
	if mangled == "" {
		return dst
	}
	dst = append(dst, m.exact[mangled]...)
	if len(m.index) > 0 {
		m.found = m.set.Match(mangled, m.found[:0])
		for _, i := range m.found {
			dst = append(dst, m.index[i])
		}
	}
	slices.Sort(dst[start:])
	return dst[:start+len(slices.Compact(dst[start:]))]
}
