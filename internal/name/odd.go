package name

import "strings"

// showsOther reports a mangled name that can show words which it does not
// hold behind their length: needles say nothing about it. These are special
// names (tables, thunks, guards) anywhere in it, and hostile identifiers with
// blanks and brackets.
func showsOther(text string) bool { return hasOdd(text) || hasSpecial(text) }

// hasSpecial reports the code of a table, thunk, guard or the like: _ZTV…, _ZGV…
func hasSpecial(text string) bool {
	if rest, ok := strings.CutPrefix(text, "_Z"); ok && rest != "" && rest[0] != 'T' && rest[0] != 'G' {
		text = rest
	}
	for {
		z := strings.IndexByte(text, 'Z')
		if z < 0 || z+1 == len(text) {
			return false
		}
		text = text[z+1:]
		if text[0] == 'T' || text[0] == 'G' {
			return true
		}
	}
}

// hasOdd reports a byte that no identifier has. It looks at eight bytes at
// once, and closer only where one of them is not of the usual.
func hasOdd(text string) bool {
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
