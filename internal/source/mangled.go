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
			y.stem = stemOf(s[:i])
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
			y.stem = stemOf(strings.TrimPrefix(name, "_INTERNAL"))
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

// stemOf finds the file in an id of internal linkage: "_1251166d_9_basics_cu_…"
// holds the length and the name with every other character made an underscore.
func stemOf(id string) string {
	for i := 0; i+1 < len(id); i++ {
		if id[i] != '_' || !isDigit(id[i+1]) {
			continue
		}
		j := i + 1
		for j < len(id) && isDigit(id[j]) {
			j++
		}
		n, err := strconv.Atoi(id[i+1 : j])
		if err != nil || j >= len(id) || id[j] != '_' || n == 0 || j+1+n > len(id) {
			continue
		}
		if name := id[j+1 : j+1+n]; strings.Contains(name, "_") && (j+1+n == len(id) || id[j+1+n] == '_') && !isDigit(name[0]) {
			return name
		}
	}
	return ""
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
