package rules

import (
	"cmp"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/edit"
	"github.com/occlint/occlint/internal/name"
)

// Names are looked through for what a pattern that matches nothing may have
// meant; these bound the work that an odd policy or log can cause.
const (
	nearPatterns = 10   // patterns that get a suggestion
	nearNames    = 5000 // names of kernels that are looked at
	nearBytes    = 128  // of a name
	nearShown    = 3
)

// family is a kernel's name without its template arguments.
type family struct{ plain, shown string }

// families lists the judged kernels by family, each once.
func (j *judge) families() []family {
	if j.familyList != nil {
		return j.familyList
	}
	j.familyList = []family{}
	seen := map[string]bool{}
	last := ""
	looked := 0
	for i := range j.judged() {
		mangled := j.log.Kernel(i).Name
		if looked++; looked > nearNames {
			break
		}
		if mangled == last {
			continue
		}
		last = mangled
		plain := name.Family(mangled)
		if seen[plain] || len(plain) > nearBytes {
			continue
		}
		seen[plain] = true
		j.familyList = append(j.familyList, family{plain, name.Qualified(mangled)})
	}
	return j.familyList
}

// near lists the kernels that a pattern probably meant, the likeliest first:
// by the whole name, or by its last part where the pattern leaves out the
// namespace.
func (j *judge) near(pattern string) []string {
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
	for _, f := range j.families() {
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
