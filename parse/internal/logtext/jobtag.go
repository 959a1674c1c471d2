package logtext

// JobTag condenses what a wrapper says of the job that wrote a line: the
// service's name, the step's or the project's number. Words that are times or
// counts only say when. 0 is a wrapper that says nothing.
//
// `2025-11-02T10:20:30.12Z #12 34.5 ` gives that of `#12`, `1>` its own, and
// `[ 40%] ` none.
func JobTag(before []byte) uint32 {
	const offset, prime = 2166136261, 16777619
	tag := uint32(offset)
	says := false
	for i := 0; i < len(before); {
		if before[i] == ' ' || before[i] == '\t' {
			i++
			continue
		}
		end := i
		for end < len(before) && before[end] != ' ' && before[end] != '\t' {
			end++
		}
		if word := before[i:end]; !saysWhen(word) {
			says = true
			for _, c := range word {
				tag = (tag ^ uint32(c)) * prime
			}
		}
		i = end
	}
	if !says {
		return 0
	}
	return max(tag, 1)
}

// saysWhen reports a word that is a time, a number, a part done of a whole,
// or punctuation.
func saysWhen(word []byte) bool {
	digits := false
	for i, c := range word {
		switch {
		case c-'0' < 10:
			digits = true
		case c == '%' || c == '[' || c == ']' || c == '(' || c == ')' || c == '|' || c == '*' || c == '/' || c == ':' ||
			c == '.' || c == ',' || c == '-' || c == '+':
		case c == 'T' || c == 'Z':
			if i == 0 || word[i-1]-'0' > 9 {
				return false
			}
		case c == 's' || c == 'm' || c == 'h':
			if !digits {
				return false
			}
		default:
			return false
		}
	}
	return true
}
