package source

import (
	"strconv"
	"strings"
)

// symbol is what a kernel's mangled name says before its template arguments.
type symbol struct {
	key       string // the qualified name, or for a name of C the name itself
	c         bool   // not mangled
	templated bool
	stem      string // the source file that an internal name belongs to: "basics_cu"
}

// readSymbol reads the qualified name of a kernel. It covers what a kernel can
// be: a function in namespaces. ok is false for anything else.
func readSymbol(mangled string) (symbol, bool) {
	var y symbol
	if s, found := strings.CutPrefix(mangled, "__nv_static_"); found {
		// __nv_static_29__hash_9_basics_cu_…__Z6kernelPf
		if i := strings.Index(s, "_Z"); i >= 0 {
			// The length that comes first is that of the whole id.
			y.stem = stemOf(strings.TrimLeft(s[:i], "0123456789"))
			mangled = s[i:]
		}
	}
	rest, found := strings.CutPrefix(mangled, "_Z")
	if !found {
		y.key, y.c = mangled, true
		return y, mangled != ""
	}
	var parts []string
	nested := strings.HasPrefix(rest, "N")
	if nested {
		rest = strings.TrimLeft(rest[1:], "rVK")
	}
	for {
		if s, found := strings.CutPrefix(rest, "St"); found && len(parts) == 0 {
			parts = append(parts, "std")
			rest = s
		}
		rest = strings.TrimPrefix(rest, "L")
		name, after, ok := sourceName(rest)
		if !ok {
			break
		}
		rest = after
		switch {
		case strings.HasPrefix(name, "_GLOBAL__N_"):
			y.stem = stemOf(strings.TrimPrefix(name, "_GLOBAL__N_"))
			parts = append(parts, anonymousNamespace)
		case strings.HasPrefix(name, "_INTERNAL_"):
			y.stem = stemOf(strings.TrimPrefix(name, "_INTERNAL_"))
		default:
			parts = append(parts, name)
		}
		if !nested {
			break
		}
	}
	if len(parts) == 0 {
		return y, false
	}
	y.templated = strings.HasPrefix(rest, "I")
	if nested && !y.templated && !strings.HasPrefix(rest, "E") {
		return y, false // an operator, a lambda: no kernel
	}
	y.key = strings.Join(parts, "::")
	return y, true
}

// sourceName reads a length and an identifier of that length.
func sourceName(s string) (name, rest string, ok bool) {
	i := 0
	for i < len(s) && i < 6 && isDigit(s[i]) {
		i++
	}
	n, err := strconv.Atoi(s[:i])
	if err != nil || n == 0 || n > len(s)-i {
		return "", s, false
	}
	return s[i : i+n], s[i+n:], true
}

// stemOf finds the file in an id of internal linkage. Since CUDA 11 that is
// eight hexadecimal digits, a length, the file's name with every other
// character made an underscore, and more: "1251166d_9_basics_cu_scale_c". Older
// ids name files of the compiler's own, and tell nothing.
func stemOf(id string) string {
	id = strings.TrimLeft(id, "_")
	const digits = 8
	if len(id) < digits+4 || id[digits] != '_' || strings.Trim(id[:digits], "0123456789abcdef") != "" {
		return ""
	}
	id = id[digits+1:]
	i := strings.IndexByte(id, '_')
	if i < 0 {
		return ""
	}
	n, err := strconv.Atoi(id[:i])
	id = id[i+1:]
	if err != nil || n < 1 || n > len(id) || n < len(id) && id[n] != '_' {
		return ""
	}
	return id[:n]
}

// stem makes of a path what an id of internal linkage has of it.
func stem(path string) string {
	base := path[strings.LastIndexByte(path, '/')+1:]
	return strings.Map(func(r rune) rune {
		if r < 0x80 && isIdentPart(byte(r)) && r != '$' {
			return r
		}
		return '_'
	}, base)
}
