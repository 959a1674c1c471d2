package fakenvcc

import "strings"

// split takes a text apart at blanks that no quotes enclose and no backslash
// precedes.
func split(text string) []string {
	var words []string
	var word []byte
	var quote byte
	inWord := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && strings.IndexByte(`"' \`, text[i+1]) >= 0:
			i++
			word, inWord = append(word, text[i]), true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, inWord = c, true
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				words = append(words, string(word))
			}
			word, inWord = nil, false
		default:
			word, inWord = append(word, c), true
		}
	}
	if inWord {
		words = append(words, string(word))
	}
	return words
}
