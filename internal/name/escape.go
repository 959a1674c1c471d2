package name

import (
	"fmt"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes a text safe to show on one line: control characters, line and
// paragraph separators, characters that change the direction of text or have
// no width, and bytes that are not UTF-8 are written as \n, \x1b, \u202e;
// everything printable is kept, a backslash too, but for the [ of ##[, which
// GitHub's runner takes for a command wherever it stands in a line. The result holds no line
// break. Escape is for people's eyes: it does not promise that the original
// can be read back.
func Escape(s string) string {
	i := unsafeAt(s)
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for i < len(s) {
		b.WriteString(s[:i])
		r, size := utf8.DecodeRuneInString(s[i:])
		writeEscaped(&b, r, s[i:i+size])
		s = s[i+size:]
		i = unsafeAt(s)
	}
	b.WriteString(s)
	return b.String()
}

// Brief is Escape for a text that may be longer than anybody reads: of one with
// more than most characters the middle is left out, and a mark at the end tells
// it from other texts: a table that is narrow cuts the middle once more.
func Brief(s string, most int) string {
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return Escape(s)
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // never fails
	mark := fmt.Sprintf(" #%08x", h.Sum32())
	most = max(most-1-len(mark), 0) // 1 for the ellipsis
	return Escape(s[:runes(s, most-most/3)]) + "…" + Escape(s[lastRunes(s, most/3):]) + mark
}

// runes is the length in bytes of the first n characters of s.
func runes(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// lastRunes is the index of the last n characters of s.
func lastRunes(s string, n int) int {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return at
}

// unsafeAt returns the index of the first character that Escape rewrites, or
// the length of s.
func unsafeAt(s string) int {
	for i := 0; i < len(s); {
		if len(s)-i >= 8 && unsafeBytes(load8(s[i:])) == 0 {
			i += 8
			continue
		}
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f || c == '[' && strings.HasSuffix(s[:i], "##") {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || hidden(r) {
			return i
		}
		i += size
	}
	return len(s)
}

// hidden reports a character that can't be seen or that changes how others
// are seen. unicode.IsPrint leaves out controls, formats (bidirectional
// marks, joiners, tags), private use and every space but U+0020: two names that
// differ only in a no-break space would look the same. Hangul fillers and
// variation selectors are printable by category and leave no mark.
func hidden(r rune) bool {
	if !unicode.IsPrint(r) {
		return true
	}
	switch {
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0: // fillers
		return true
	case r == 0x034F: // combining grapheme joiner
		return true
	case unicode.Is(unicode.Variation_Selector, r):
		return true
	}
	return false
}

const hexDigits = "0123456789abcdef"

func writeEscaped(b *strings.Builder, r rune, raw string) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < utf8.RuneSelf || r == utf8.RuneError && len(raw) == 1:
		b.WriteString(`\x`)
		b.WriteByte(hexDigits[raw[0]>>4])
		b.WriteByte(hexDigits[raw[0]&15])
	case r < 0x10000:
		b.WriteString(`\u`)
		writeHex(b, r, 4)
	default:
		b.WriteString(`\U`)
		writeHex(b, r, 8)
	}
}

func writeHex(b *strings.Builder, r rune, digits int) {
	for shift := 4 * (digits - 1); shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[r>>shift&15])
	}
}
