package name

import (
	"math/bits"
	"strconv"
	"strings"
)

// The marks that open an identifier with an id of the translation unit in it.
// nvcc writes them for what has internal linkage and must still be found by
// the host: anonymous namespaces, static functions of the device, static
// variables and kernels. The id holds a hash of the file's path or contents,
// or, before CUDA 11, the process id of the compiler.
//
//	_GLOBAL__N__1251166d_9_basics_cu_scale_c                               11.8 to 13.0
//	_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc                                11.8 to 13.0
//	_GLOBAL__N__58_tmpxft_00003916_00000000_9_add_weighted_compute_61_cpp1_ii_71482d89   to 10.2
//	_INTERNAL_28_cuda_equi_compute_30_cpp1_ii_1f510c1d                     with --keep
//	__nv_static_29__16_CUDA_HOG_cpp1_ii_04c76ffe__ZSt8__ioinit
const (
	markAnonymous = "_GLOBAL__N__"
	markInternal  = "_INTERNAL_"
	markStatic    = "__nv_static_"
)

// Canonical returns a name with the ids of internal linkage reduced to what
// stays the same from build to build, the name of the source file, and with
// the length prefixes of the identifiers that hold them corrected, so that
// the result demangles as the original does. A name without such an id is
// returned byte for byte. Canonical of a canonical name is that name.
//
// Two files of one base name that define the same internal name have one
// canonical name: nothing in the names that is stable tells them apart.
func Canonical(mangled string) string {
	at := nextMark(mangled, 0)
	if at < 0 {
		return stripClangID(mangled)
	}
	var b strings.Builder
	done := 0 // mangled[:done] is written
	for at >= 0 {
		span, ok := idAt(mangled, at, done)
		if !ok {
			at = nextMark(mangled, at+1)
			continue
		}
		b.WriteString(mangled[done:span.start])
		b.WriteString(span.canonical)
		done = span.end
		at = nextMark(mangled, done)
	}
	if done == 0 {
		return stripClangID(mangled)
	}
	b.WriteString(mangled[done:])
	return stripClangID(b.String())
}

// nextMark returns the index of the first mark at or after from, or -1.
func nextMark(s string, from int) int {
	for ; from+len(markInternal) <= len(s); from += 7 { // the shortest mark
		for found := markBytes(load8(s[from : from+8])); found != 0; found &= found - 1 {
			if at := from + bits.TrailingZeros64(found)/8; isMark(s[at:]) {
				return at
			}
		}
	}
	return -1
}

func isMark(s string) bool {
	return strings.HasPrefix(s, markAnonymous) || strings.HasPrefix(s, markInternal) || strings.HasPrefix(s, markStatic)
}

// span is a part of a name and what replaces it.
type span struct {
	start, end int
	canonical  string
}

// idAt reads the identifier whose mark is at s[at:], together with the
// decimal length before it where there is one; floor is the end of what was
// rewritten already.
func idAt(s string, at, floor int) (span, bool) {
	if strings.HasPrefix(s[at:], markStatic) {
		return staticAt(s, at, floor)
	}
	mark := markAnonymous
	if strings.HasPrefix(s[at:], markInternal) {
		mark = markInternal
	}
	if at == floor || !isDigit(s[at-1]) {
		return demangledID(s, at, mark)
	}
	for _, size := range lengthsBefore(s, at, floor) {
		end := at + size.value
		if size.value <= len(mark) {
			continue
		}
		unit, ok := unitID(s[at+len(mark) : end])
		if !ok {
			continue
		}
		id := mark + unit
		return span{size.start, end, strconv.Itoa(len(id)) + id}, true
	}
	return span{}, false
}

// demangledID reads an id in a demangled name or a pattern, where it ends at
// the scope operator.
func demangledID(s string, at int, mark string) (span, bool) {
	size := strings.Index(s[at:], "::")
	if size < 0 {
		return span{}, false
	}
	unit, ok := unitID(s[at+len(mark) : at+size])
	if !ok {
		return span{}, false
	}
	return span{at, at + size, mark + unit}, true
}

// length is a decimal number that ends where an identifier begins.
type length struct{ start, value int }

// lengthsBefore returns what the digits before s[at] can mean as the length
// of the identifier that begins there. They can be the end of another
// identifier as well: in "4ns1240_GLOBAL_…" the length is 40, not 1240.
// Readings come in the order of trust: the one that a walk from the front of
// the name arrives at, then from the shortest number up.
func lengthsBefore(s string, at, floor int) []length {
	var found []length
	value, unit := 0, 1
	for i := at - 1; i >= floor && isDigit(s[i]) && at-i <= 6; i-- {
		value += int(s[i]-'0') * unit
		unit *= 10
		if s[i] != '0' && value <= len(s)-at {
			found = append(found, length{i, value})
		}
	}
	if len(found) < 2 {
		return found
	}
	start := walkTo(s, at)
	for i, l := range found {
		if l.start == start {
			copy(found[1:i+1], found[:i])
			found[0] = l
		}
	}
	return found
}

// walkTo steps over the identifiers of a mangled name from its front and
// returns where the length of the identifier at s[at:] begins, or -1. Numbers
// that are no lengths (literals, substitutions, parameters, array bounds) are
// stepped over by the letter before them.
func walkTo(s string, at int) int {
	for i := 0; i < at; {
		c := s[i]
		switch {
		case c == 'S' || c == 'T' || c == 'A':
			i = skipSequence(s, i+1)
		case c == 'L' && i+1 < len(s) && isLower(s[i+1]):
			i = skipLiteral(s, i+2)
		case isDigit(c):
			value, digits := number(s[i:])
			if i+digits == at {
				return i
			}
			if i+digits < len(s) && s[i+digits] == 'E' || value == 0 {
				i += digits // the value of an enumerator, or a literal
				continue
			}
			i += digits + value
		default:
			i++
		}
	}
	return -1
}

// skipSequence steps over "12_" or "1A_"; s[i:] follows the letter.
func skipSequence(s string, i int) int {
	j := i
	for j < len(s) && (isDigit(s[j]) || s[j] >= 'A' && s[j] <= 'Z') {
		j++
	}
	if j < len(s) && s[j] == '_' {
		return j + 1
	}
	return i
}

// skipLiteral steps over the value and the E of "Li32E"; s[i:] follows the type.
func skipLiteral(s string, i int) int {
	j := i
	for j < len(s) && (isHexDigit(s[j]) || s[j] == 'n') {
		j++
	}
	if j < len(s) && s[j] == 'E' {
		return j + 1
	}
	return i
}

// number reads the decimal number that s begins with and how many digits it has.
func number(s string) (value, digits int) {
	for digits < len(s) && isDigit(s[digits]) && digits < 9 {
		value = value*10 + int(s[digits]-'0')
		digits++
	}
	return value, digits
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isHexDigit(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'f'
}

// isHex reports a non-empty text of lower-case hexadecimal digits.
func isHex(s string) bool {
	for i := range len(s) {
		if !isHexDigit(s[i]) {
			return false
		}
	}
	return s != ""
}
