package name

import "strings"

// The wildcards inside a pattern while it is prepared: bytes that never occur
// in UTF-8, so that an escaped "*" stays a plain one.
const (
	wildAny = 0xFF // "*"
	wildOne = 0xFE // "?"
)

const anonymous = "(anonymous namespace)"

// casts are the literals that cu++filt and older c++filt print with a cast,
// and how c++filt prints them now.
var casts = [...]struct{ cast, suffix string }{
	{"(unsigned long long)", "ull"},
	{"(unsigned long)", "ul"},
	{"(unsigned int)", "u"},
	{"(long long)", "ll"},
	{"(long)", "l"},
	{"(int)", ""},
}

// normalize removes the differences in spelling between demanglers and people
// from a qualified name or a pattern: blanks count only between two words
// ("unsigned int"), "(bool)1" is "true", "(unsigned int)4" is "4u", and an
// unnamed namespace is "(anonymous namespace)" however it is written.
func normalize(s string) string {
	if !needsNormalizing(s) {
		return s
	}
	return normalizeAll(s)
}

func normalizeAll(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last := byte(0) // last byte written
	blank := false  // a blank is pending
	for i := 0; i < len(s); {
		c := s[i]
		if c == ' ' || c == '\t' {
			blank = true
			i++
			continue
		}
		if blank && isWord(last) && isWord(c) {
			b.WriteByte(' ')
		}
		blank = false
		if text, size := respell(s[i:]); size > 0 && (c != '(' || !isWord(last)) {
			b.WriteString(text)
			last = text[len(text)-1]
			i += size
			continue
		}
		b.WriteByte(c)
		last = c
		i++
	}
	return b.String()
}

// needsNormalizing reports that normalize may change something.
func needsNormalizing(s string) bool {
	return hasNonWord(s) && (strings.ContainsAny(s, " \t(") || strings.Contains(s, "<unnamed>")) || nextMark(s, 0) >= 0
}

// respell returns what the front of s is written as instead, and how many
// bytes of s that replaces; 0 when nothing.
func respell(s string) (text string, size int) {
	switch s[0] {
	case '(':
		return respellCast(s)
	case '<':
		if strings.HasPrefix(s, "<unnamed>::") {
			return anonymous, len("<unnamed>")
		}
	case '_':
		// A profiler prints the identifier of an unnamed namespace as it is.
		if strings.HasPrefix(s, markAnonymous) {
			end := strings.Index(s, "::")
			if end > 0 && !strings.ContainsAny(s[:end], "<>, ") && strings.IndexByte(s[:end], wildOne) < 0 && strings.IndexByte(s[:end], wildAny) < 0 {
				return anonymous, end
			}
		}
	}
	return "", 0
}

func respellCast(s string) (text string, size int) {
	if strings.HasPrefix(s, anonymous) {
		return anonymous, len(anonymous) // its blank is kept as it is
	}
	if rest, ok := strings.CutPrefix(s, "(bool)"); ok && rest != "" {
		switch {
		case rest[0] == '1' && !wordAt(rest, 1):
			return "true", len("(bool)1")
		case rest[0] == '0' && !wordAt(rest, 1):
			return "false", len("(bool)0")
		case rest[0] == wildAny:
			return rest[:1], len("(bool)*")
		}
		return "", 0
	}
	for _, c := range casts {
		rest, ok := strings.CutPrefix(s, c.cast)
		if !ok {
			continue
		}
		n := 0
		if n < len(rest) && rest[n] == '-' {
			n++
		}
		for n < len(rest) && (isDigit(rest[n]) || rest[n] == wildAny || rest[n] == wildOne) {
			n++
		}
		if n == 0 || rest[n-1] == '-' || wordAt(rest, n) {
			return "", 0
		}
		return rest[:n] + c.suffix, len(c.cast) + n
	}
	return "", 0
}

func wordAt(s string, i int) bool { return i < len(s) && isWord(s[i]) }

// isWord reports a byte of an identifier or number; bytes of other scripts
// count, the wildcards do not.
func isWord(c byte) bool {
	return c == '_' || c == '$' || isDigit(c) || isLower(c) || 'A' <= c && c <= 'Z' || 0x80 <= c && c < wildOne
}
