package name

import "strings"

// showsOther reports a mangled name that can show words which it does not
// hold behind their length: needles say nothing about it. These are special
// names (tables, thunks, guards) anywhere in it, and hostile identifiers with
// blanks and brackets, or that look like mangled names.
func showsOther(text string) bool { return hasNonWord(text) || hasSpecial(text) }

// hasSpecial reports the code of a table, thunk, guard or the like (_ZTV…,
// _ZGV…) and a "_Z" that the text does not begin with.
func hasSpecial(text string) bool {
	if rest, ok := strings.CutPrefix(text, "_Z"); ok {
		if rest != "" && isSpecial(rest[0]) {
			return true
		}
		text = rest
	}
	for {
		z := strings.IndexByte(text, 'Z')
		switch {
		case z < 0:
			return false
		case z > 0 && text[z-1] == '_', z+1 < len(text) && isSpecial(text[z+1]):
			return true
		}
		text = text[z+1:]
	}
}

func isSpecial(code byte) bool { return code == 'T' || code == 'G' }

// hasNonWord reports a byte that no identifier has. It looks at eight bytes at
// once, and closer only where one of them is not of the usual.
func hasNonWord(text string) bool {
	unusual := uint64(0)
	i := 0
	for ; i+8 <= len(text); i += 8 {
		unusual |= unusualBytes(load8(text[i : i+8]))
	}
	switch {
	case i == len(text):
	case i > 0: // some bytes twice
		unusual |= unusualBytes(load8(text[len(text)-8:]))
	default:
		unusual = 1
	}
	if unusual == 0 {
		return false
	}
	for i := range len(text) {
		if !isWord(text[i]) {
			return true
		}
	}
	return false
}
