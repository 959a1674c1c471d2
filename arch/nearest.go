package arch

import "strings"

// nearest picks the known name that asked was probably meant for: equal but
// for case and punctuation, or at most two edits away. Empty when none is.
func nearest(asked string, known []string) string {
	const farthest = 2
	want := plain(asked)
	best, bestDistance := "", farthest+1
	for _, name := range known {
		if d := distance(want, plain(name)); d < bestDistance {
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

// distance counts the insertions, deletions and replacements from a to b. It
// looks at the first bytes only: no name in a table is long.
func distance(a, b string) int {
	const longest = 32
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
