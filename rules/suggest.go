package rules

import (
	"github.com/occlint/occlint/internal/name"
)

// mostSuggested is how many patterns get a suggestion.
const mostSuggested = 10

// probablyMeant lists the judged kernels that a pattern probably meant.
func (j *judge) probablyMeant(pattern string) []string {
	if j.nearby == nil {
		j.nearby = name.NewNearby(func(yield func(string) bool) {
			for i := range j.judged() {
				if !yield(j.log.Kernel(i).Name) {
					return
				}
			}
		})
	}
	return j.nearby.To(pattern)
}
