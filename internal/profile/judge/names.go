package judge

import (
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// A spelling is a kernel's name reduced to what every tool agrees on. The same
// kernel is
//
//	void fix::gather<2>(const float *, float *, int)        ncu
//	void fix::gather<(int)2>(const T1 *, T1 *, int)         older ncu, its source page, nsys
//	void fix::gather<2>(float const*, float*, int)          CUPTI, c++filt
//	gather                                                  --print-kernel-base function
type spelling struct {
	full       string   // namespaces, name, template arguments
	function   string   // the name alone
	parameters []string // nil: none are known
}

// unnamed stands for an unnamed namespace, which is written in four ways.
const unnamed = "{unnamed}"

// spell reduces a demangled declaration.
func spell(s string) spelling {
	s = oneUnnamed(s)
	name, parameters := cutParameters(s)
	name = cutReturnType(name)
	full := tidyArguments(name)
	return spelling{full: full, function: functionOf(full), parameters: splitParameters(parameters)}
}

// spellMangled reduces a mangled name.
func spellMangled(mangled string) spelling { return spell(name.Demangle(mangled)) }

func oneUnnamed(s string) string {
	if !strings.Contains(s, "n") { // every spelling has one
		return s
	}
	s = strings.ReplaceAll(s, "(anonymous namespace)", unnamed)
	s = strings.ReplaceAll(s, "<unnamed>", unnamed)
	s = strings.ReplaceAll(s, "unnamed>::", unnamed+"::") // cut at its first sign
	for {
		at := strings.Index(s, "_GLOBAL__N__")
		if at < 0 {
			return s
		}
		end := strings.Index(s[at:], "::")
		if end < 0 || strings.ContainsAny(s[at:at+end], "<>(), ") {
			return s
		}
		s = s[:at] + unnamed + s[at+end:]
	}
}

// cutParameters cuts the parameter list off: the last pair of parentheses that
// stands in no template argument.
func cutParameters(s string) (name, parameters string) {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if i == 0 || s[i-1] != '-' {
				depth--
			}
		case '(':
			if depth == 0 && i > 0 {
				end := strings.LastIndexByte(s, ')')
				if end < i {
					end = len(s)
				}
				return s[:i], s[i+1 : end]
			}
		}
	}
	return s, ""
}

// cutReturnType cuts what stands before the name: "void", "static void".
func cutReturnType(s string) string {
	s = strings.TrimSpace(s)
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case '>', ')', ']', '}':
			depth++
		case '<', '(', '[', '{':
			depth--
		case ' ':
			if depth == 0 {
				return s[i+1:]
			}
		}
	}
	return s
}

// lastPart is a qualified name without its namespaces, which newer versions
// of ncu leave out: gather<2> for fix::gather<2>.
func lastPart(full string) string {
	depth, from := 0, 0
	for i := range len(full) {
		switch full[i] {
		case '<', '{', '(':
			depth++
		case '>', '}', ')':
			depth--
		case ':':
			if depth == 0 {
				from = i + 1
			}
		}
	}
	return full[from:]
}

// functionOf is the last part of a qualified name, without its arguments.
func functionOf(full string) string {
	name := lastPart(full)
	if i := strings.IndexByte(name, '<'); i > 0 {
		name = name[:i]
	}
	return name
}

// tidyArguments removes what spellings of template arguments differ in: casts
// in front of a value, suffixes of numbers, true and false, blanks, and the
// place of const.
func tidyArguments(s string) string {
	if !strings.ContainsAny(s, "< ") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	depth := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '<':
			depth++
		case c == '>':
			depth--
		case c == ' ':
			i++
			continue
		case depth > 0 && c == '(':
			if n := castBefore(s[i:]); n > 0 {
				i += n
				continue
			}
		case depth > 0 && isWord(c) && (i == 0 || !isWord(s[i-1])):
			n := wordLength(s[i:])
			if skip := writeWord(&b, s, i, n); skip > 0 {
				i += skip
				continue
			}
		}
		b.WriteByte(c)
		i++
	}
	return b.String()
}

// writeWord writes the word of n bytes at i in the one way that counts, and
// returns how many bytes of s that was.
func writeWord(b *strings.Builder, s string, i, n int) int {
	word := s[i : i+n]
	switch {
	case word == "true":
		b.WriteByte('1')
	case word == "false":
		b.WriteByte('0')
	case word == "const":
		// "const float *" and "float const*" are one type; what can't be told
		// by this is told by the numbers.
	case word[0] >= '0' && word[0] <= '9':
		b.WriteString(strings.TrimRight(word, "uUlL"))
	default:
		b.WriteString(word)
	}
	return n
}

// castBefore is the length of a cast in front of a value: "(int)" of "(int)2",
// "(ns::Mode)" of "(ns::Mode)2"; 0 for other parentheses.
func castBefore(s string) int {
	end := strings.IndexByte(s, ')')
	if end < 0 || end+1 >= len(s) {
		return 0
	}
	for _, c := range []byte(s[1:end]) {
		if !isWord(c) && c != ' ' && c != ':' {
			return 0
		}
	}
	next := s[end+1]
	if next == '-' || next >= '0' && next <= '9' || strings.HasPrefix(s[end+1:], "true") || strings.HasPrefix(s[end+1:], "false") {
		return end + 1
	}
	return 0
}

func wordLength(s string) int {
	n := 0
	for n < len(s) && isWord(s[n]) {
		n++
	}
	return n
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// splitParameters splits a parameter list, each parameter tidied.
func splitParameters(s string) []string {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	var list []string
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		if i == len(s) || s[i] == ',' && depth == 0 {
			list = append(list, strings.TrimSuffix(strings.TrimPrefix(tidyArguments("<"+s[from:i]+">"), "<"), ">"))
			from = i + 1
			continue
		}
		switch s[i] {
		case '<', '(', '[', '{':
			depth++
		case '>', ')', ']', '}':
			depth--
		}
	}
	return list
}

// fit reports that two parameter lists can be of one function: T1 and the like
// stand for any type, since older tools don't put the arguments in.
func fit(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && !hasPlaceholder(a[i]) && !hasPlaceholder(b[i]) {
			return false
		}
	}
	return true
}

func hasPlaceholder(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == 'T' && s[i+1] >= '0' && s[i+1] <= '9' && (i == 0 || !isWord(s[i-1])) {
			return true
		}
	}
	return false
}
