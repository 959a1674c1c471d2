package name

import "strings"

// Most patterns say what a qualified name begins with, and most mangled names
// show that at once: behind "_Z", a few letters and a length stands the first
// identifier. Comparing the two leaves out nearly all patterns after a look at
// a few bytes, however long the name is. It is done only for names whose first
// identifier is shown as it is written, see firstIdentifier.

// start is what a pattern wants a name to begin with.
type start struct {
	// word is the identifier, or the front of it. It is empty for a text that
	// begins otherwise, as only names in an unnamed namespace do.
	word  string
	whole bool // no more letters follow
}

func (s start) fits(id string) bool {
	switch {
	case s.word == "" || id == anonymous:
		return s.word == "" && id == anonymous
	case s.whole:
		return id == s.word
	default:
		return strings.HasPrefix(id, s.word)
	}
}

// startOf reads the start of a text that a name must begin with; full says
// that the name ends there too.
func startOf(text string, full bool) start {
	end := 0
	for end < len(text) && isWord(text[end]) {
		end++
	}
	return start{text[:end], end < len(text) || full}
}

// globStart returns the start of a pattern with wildcards. ok is false where
// the pattern begins with a wildcard or can match a mangled name as such.
func (p *Pattern) globStart() (s start, ok bool) {
	if p.raw.matchesMangled() || p.asIs.matchesMangled() {
		return start{}, false
	}
	first := p.tidy.parts[0]
	text, _, _ := strings.Cut(first.text, string([]byte{wildOne}))
	full := len(p.tidy.parts) == 1 && !first.holes
	return startOf(text, full), text != ""
}

// regexpStart is globStart for an expression that begins with a literal text.
func regexpStart(literal string, full bool) (s start, ok bool) {
	if literal == "" || literal == "_" || strings.HasPrefix(literal, "_Z") {
		return start{}, false
	}
	return startOf(literal, full), true
}

// matchesMangled reports that a text which begins with "_Z" may match.
func (g glob) matchesMangled() bool {
	text := g.parts[0].text
	for _, c := range []byte("_Z") {
		if text == "" {
			return len(g.parts) > 1
		}
		if text[0] != c && text[0] != wildOne {
			return false
		}
		text = text[1:]
	}
	return true
}

// firstIdentifier returns the identifier that the qualified name of a mangled
// one begins with. Where ok is true and the canonical name demangles, its
// qualified name begins with these very letters and goes on with something
// that is no part of a word. The name may still be one that does not demangle.
//
// For an unnamed namespace it is the text that stands for one.
//
// ok is false for the few names where that is not plain to see: tables and
// thunks, Rust's, those whose canonical form can have another first identifier,
// and identifiers that look like something else.
func firstIdentifier(mangled string) (id string, ok bool) {
	if !strings.HasPrefix(mangled, "_Z") {
		return "", false
	}
	// In between stand nested and local names, qualifiers of member functions
	// and the mark of internal linkage.
	at := len("_Z")
	for at < len(mangled) && startLetters[mangled[at]] {
		at++
	}
	size := 0
	for at < len(mangled) && isDigit(mangled[at]) && size <= maxNameBytes {
		size = 10*size + int(mangled[at]-'0')
		at++
	}
	if size == 0 || size > len(mangled)-at {
		return "", false
	}
	id, rest := mangled[at:at+size], mangled[at+size:]
	if isRust(mangled) {
		return "", false
	}
	if strings.HasPrefix(id, unnamed) {
		return anonymous, true // an id in it, or behind it, changes nothing of that
	}
	if id[0] == '_' || !plainIdentifier(mangled, at, at+size) {
		return "", false
	}
	// The canonical name has the same bytes here unless an id of internal
	// linkage begins behind digits which the identifier's last ones could be a
	// part of, or is cut off the end of the name.
	if isDigit(id[len(id)-1]) {
		i := 0
		for i < len(rest) && isDigit(rest[i]) {
			i++
		}
		if i < len(rest) && rest[i] == '_' {
			return "", false
		}
	}
	if len(stripClangID(mangled)) != len(mangled) {
		return "", false
	}
	return id, true
}

// unnamed begins the identifiers of unnamed namespaces, those with an id too.
const unnamed = "_GLOBAL__N_"

// startLetters may stand between "_Z" and the first identifier.
var startLetters = [256]bool{'N': true, 'Z': true, 'K': true, 'V': true, 'r': true, 'L': true}

// plainIdentifier reports that the identifier mangled[at:end] holds ASCII
// letters, digits and "_" only, and that no mark of an id begins in it.
func plainIdentifier(mangled string, at, end int) bool {
	if len(mangled) >= 8 {
		closer := uint64(0)
		for i := at; i < end; i += 7 {
			v := load8(mangled[min(i, len(mangled)-8):])
			closer |= unusualBytes(v) | markBytes(v)
		}
		if closer == 0 {
			return true
		}
	}
	for _, c := range []byte(mangled[at:end]) {
		if !isWord(c) || c == '$' || c >= 0x80 {
			return false
		}
	}
	m := nextMark(mangled[at:], 0)
	return m < 0 || m >= end-at
}
