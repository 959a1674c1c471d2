package compare

// didYouMean returns `; did you mean "x"?` for the known word that is nearest
// to a misspelt one, or "" when none is near.
func didYouMean(word string, known []string) string {
	best, least := "", 1+len(word)/3
	for _, k := range known {
		if d := editDistance(word, k); d <= least && (best == "" || d < least) {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return `; did you mean "` + best + `"?`
}

// editDistance counts the letters to insert, delete or replace.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
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
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
