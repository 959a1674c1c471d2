package arch

import (
	"strings"

	"github.com/occlint/occlint/internal/edit"
)

// nearest picks the known name that asked was probably meant for: equal but
// for case and punctuation, or at most two edits away. Empty when none is.
func nearest(asked string, known []string) string {
	const farthest = 2
	want := plain(asked)
	best, bestDistance := "", farthest+1
	for _, name := range known {
		if d := edit.Distance(want, plain(name)); d < bestDistance {
			best, bestDistance = name, d
		}
	}
	if bestDistance*2 > len(want) { // two edits of "sm" say nothing
		return ""
	}
	return best
}

func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		}
		return -1
	}, s)
}
