package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Width returns the columns that s takes on a terminal: escape sequences and
// combining marks none, East Asian wide runes two. s is one line.
func Width(s string) int {
	n := 0
	for len(s) > 0 {
		if e := escapeLen(s); e > 0 {
			s = s[e:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		n += runeWidth(r)
		s = s[size:]
	}
	return n
}

func runeWidth(r rune) int {
	switch {
	case r >= 0x20 && r < 0x7f:
		return 1
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r), unicode.Is(unicode.Cf, r), unicode.IsControl(r):
		return 0
	}
	if kind := width.LookupRune(r).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
		return 2
	}
	return 1
}

// escapeLen returns the length of the escape sequence that s starts with (the
// colour sequences that this package writes), or 0.
func escapeLen(s string) int {
	if len(s) < 2 || s[0] != 0x1b || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
	}
	return 0
}

// Pad returns s with blanks after it, to n columns.
func Pad(s string, n int) string { return s + blanks(n-Width(s)) }

// PadLeft returns s with blanks before it, to n columns.
func PadLeft(s string, n int) string { return blanks(n-Width(s)) + s }

func blanks(n int) string { return strings.Repeat(" ", max(n, 0)) }

// Wrap breaks uncoloured text at blanks into lines of at most columns columns.
// Text that has no blank in reach is broken where a line is full, so a long
// symbol name can't push a line over the edge. Fewer than 20 columns, and so 0,
// leave the text as it is: nobody can read such a column.
func Wrap(text string, columns int) []string {
	if columns < 20 || Width(text) <= columns {
		return []string{text}
	}
	var lines []string
	var line strings.Builder
	used := 0
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for word := range strings.FieldsSeq(text) {
		w := Width(word)
		if used > 0 && used+1+w > columns {
			flush()
		}
		for w > columns { // used is 0 here
			head, rest := cut(word, columns)
			lines = append(lines, head)
			word, w = rest, Width(rest)
		}
		if used > 0 {
			line.WriteByte(' ')
			used++
		}
		line.WriteString(word)
		used += w
	}
	if used > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

// cut splits s after as many runes as fit into columns, at least one.
func cut(s string, columns int) (head, rest string) {
	n := 0
	for i, r := range s {
		w := runeWidth(r)
		if i > 0 && n+w > columns {
			return s[:i], s[i:]
		}
		n += w
	}
	return s, ""
}

// Fit shortens s to columns with an ellipsis in the middle: both ends of a
// kernel's name tell it from its sisters.
func (s *Style) Fit(text string, columns int) string {
	if columns <= 0 || Width(text) <= columns {
		return text
	}
	dots := s.Text("…")
	room := columns - Width(dots)
	if room < 2 {
		head, _ := cut(text, columns)
		return head
	}
	head, rest := cut(text, (room+1)/2)
	tailRoom := room - Width(head)
	runes := []rune(rest)
	from, used := len(runes), 0
	for from > 0 && used+runeWidth(runes[from-1]) <= tailRoom {
		from--
		used += runeWidth(runes[from])
	}
	return head + dots + string(runes[from:])
}
