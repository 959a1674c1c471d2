// Package edit tells how far a word is from the one that was probably meant.
package edit

// longest bounds what a word from outside can cost: what is behind counts as
// dropped, or the same.
const longest = 128

// Distance counts the bytes to change, insert, drop or swap with their
// neighbour to make b of a.
func Distance(a, b string) int {
	behind := max(len(a)-longest, 0) - max(len(b)-longest, 0)
	a, b = a[:min(len(a), longest)], b[:min(len(b), longest)]
	older, old, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range old {
		old[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := old[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(old[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], older[j-2]+1)
			}
		}
		older, old, row = old, row, older
	}
	return old[len(b)] + max(behind, -behind)
}
