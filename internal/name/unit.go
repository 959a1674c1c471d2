package name

import (
	"strconv"
	"strings"
)

// hashDigits is the length of the hashes that nvcc puts into ids.
const hashDigits = 8

// unitID reads the id of a translation unit that follows a mark,
//
//	[HASH_]N_FILE[_TAIL]
//
// where FILE has N bytes, and returns N_FILE without what a build makes up.
// TAIL is a hash, or the first external name of the file: it changes when
// somebody adds a function above. ok is false for a text of another form.
func unitID(id string) (canonical string, ok bool) {
	rest := id
	if len(rest) > hashDigits && isHex(rest[:hashDigits]) && rest[hashDigits] == '_' {
		if file, ok := unitFile(rest[hashDigits+1:]); ok {
			return file, true
		}
	}
	return unitFile(rest)
}

// unitFile reads N_FILE[_TAIL].
func unitFile(s string) (canonical string, ok bool) {
	size, digits := number(s)
	if digits == 0 || s[0] == '0' || digits >= len(s) || s[digits] != '_' {
		return "", false
	}
	s = s[digits+1:]
	if size > len(s) || size < len(s) && s[size] != '_' {
		return "", false
	}
	file := stableFile(s[:size])
	return strconv.Itoa(len(file)) + "_" + file, true
}

// stableFile takes the process ids and the name of the intermediate file off
// a file's name: tmpxft_00003916_00000000_9_add_weighted_compute_61_cpp1_ii
// is made from add_weighted, compiled for compute_61 first.
func stableFile(file string) string {
	if rest, ok := strings.CutPrefix(file, "tmpxft_"); ok {
		if rest, ok = cutHash(rest); ok {
			if rest, ok = cutHash(rest); ok {
				_, digits := number(rest)
				if digits > 0 && digits+1 < len(rest) && rest[digits] == '_' {
					file = rest[digits+1:]
				}
			}
		}
	}
	stem, found := cutSuffixes(file, "_cpp1_ii", "_cpp4_ii", "_cudafe1_cpp", "_cudafe1_stub_c")
	if !found || stem == "" {
		return file
	}
	if i := strings.LastIndex(stem, "_compute_"); i > 0 {
		arch := strings.TrimRight(stem[i+len("_compute_"):], "af")
		if _, digits := number(arch); digits > 0 && digits == len(arch) {
			stem = stem[:i]
		}
	}
	return stem
}

// cutHash takes "00003916_" off the front.
func cutHash(s string) (rest string, ok bool) {
	if len(s) <= hashDigits || !isHex(s[:hashDigits]) || s[hashDigits] != '_' {
		return s, false
	}
	return s[hashDigits+1:], true
}

func cutSuffixes(s string, suffixes ...string) (stem string, found bool) {
	for _, suffix := range suffixes {
		if stem, found = strings.CutSuffix(s, suffix); found {
			return stem, true
		}
	}
	return s, false
}

// staticName is a name that nvcc has wrapped: __nv_static_N_ID_INNER, where
// ID has N bytes and begins with an underscore.
type staticName struct {
	unit  string // the id, canonical
	inner int    // where INNER begins
}

// readStatic reads a wrapped name; s begins with the mark.
func readStatic(s string) (staticName, bool) {
	rest := s[len(markStatic):]
	size, digits := number(rest)
	begin := len(markStatic) + digits + 1
	if digits == 0 || begin > len(s) || s[begin-1] != '_' || size < 2 || size >= len(s)-begin {
		return staticName{}, false
	}
	id := s[begin : begin+size]
	if id[0] != '_' || s[begin+size] != '_' {
		return staticName{}, false
	}
	unit, ok := unitID(id[1:])
	if !ok {
		return staticName{}, false
	}
	return staticName{unit, begin + size + 1}, true
}

// innerStatic returns the name inside a wrapped one, and any other name as it is.
func innerStatic(s string) string {
	if !strings.HasPrefix(s, markStatic) {
		return s
	}
	w, ok := readStatic(s)
	if !ok || w.inner == len(s) {
		return s
	}
	return s[w.inner:]
}

// staticAt makes the id of a wrapped name stable. Where the wrapped name is
// an identifier inside a mangled name, the length before it changes too.
func staticAt(s string, at, floor int) (span, bool) {
	w, ok := readStatic(s[at:])
	if !ok {
		return span{}, false
	}
	wrapped := markStatic + strconv.Itoa(len(w.unit)+1) + "__" + w.unit + "_"
	if at == floor || !isDigit(s[at-1]) {
		return span{at, at + w.inner, wrapped}, true
	}
	for _, l := range lengthsBefore(s, at, floor) {
		if l.value > w.inner {
			size := l.value - w.inner + len(wrapped)
			return span{l.start, at + w.inner, strconv.Itoa(size) + wrapped}, true
		}
	}
	return span{}, false
}

// clangMarks come before the id that clang puts behind the name of a static
// kernel when device code is linked separately.
var clangMarks = [...]string{"__static__", "__intern__", ".static.", ".intern."}

// stripClangID takes the id, a hash of the file and its options, off the end
// of a name and keeps the mark.
func stripClangID(s string) string {
	const shortest, longest = 8, 32
	if len(s) < shortest || !isHex(s[len(s)-shortest:]) {
		return s
	}
	for _, mark := range clangMarks {
		i := strings.LastIndex(s, mark)
		if i <= 0 {
			continue
		}
		end := i + len(mark)
		if id := s[end:]; len(id) >= shortest && len(id) <= longest && isHex(id) {
			return s[:end]
		}
	}
	return s
}
