package name

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/edit"
)

// Names are looked through for what a pattern that matches nothing may have
// meant; these bound the work that an odd pattern or log can cause.
const (
	nearNames = 5000 // names of kernels that are looked at
	nearBytes = 128  // of a name
	nearShown = 3
)

// Nearby are the kernels of a log by family, for suggestions.
type Nearby []candidateFamily

// candidateFamily is a kernel's name without its template arguments.
type candidateFamily struct{ plain, shown string }

// NewNearby takes the families of mangled names, each once, as far as a
// suggestion may cost.
func NewNearby(names iter.Seq[string]) Nearby {
	near := Nearby{}
	seen := map[string]bool{}
	last := ""
	looked := 0
	for mangled := range names {
		if looked++; looked > nearNames {
			break
		}
		if mangled == last {
			continue
		}
		last = mangled
		plain := Family(mangled)
		if seen[plain] || len(plain) > nearBytes {
			continue
		}
		seen[plain] = true
		near = append(near, candidateFamily{plain, Qualified(mangled)})
	}
	return near
}

// To lists the kernels that a pattern probably meant, the likeliest first: by
// the whole name, or by its last part where the pattern leaves out the
// namespace.
func (n Nearby) To(pattern string) []string {
	if strings.HasPrefix(pattern, "re:") || len(pattern) > nearBytes {
		return nil
	}
	meant, _, _ := strings.Cut(pattern, "<")
	meant = strings.ToLower(strings.NewReplacer("*", "", "?", "").Replace(meant))
	if len(meant) < 3 {
		return nil
	}
	type candidate struct {
		shown    string
		distance int
	}
	var list []candidate
	for _, f := range n {
		whole := strings.ToLower(f.plain)
		d := edit.Distance(meant, whole)
		if i := strings.LastIndex(whole, "::"); i >= 0 && !strings.Contains(meant, "::") {
			d = min(d, edit.Distance(meant, whole[i+2:]))
		}
		if d <= max(1, len(meant)/4) {
			list = append(list, candidate{f.shown, d})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.shown, b.shown))
	})
	var names []string
	for _, c := range list[:min(len(list), nearShown)] {
		names = append(names, c.shown)
	}
	return names
}
