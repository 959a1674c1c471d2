package name

import "strings"

// simpleName reads the mangled names that most kernels have, without building
// a tree: identifiers, and template arguments that are built-in types,
// integers and identifiers (_Z5saxpyPf, _ZN3lin5saxpyIfLi4EEEvPT_). It returns
// what the demangler would, without the template arguments if they are not
// wanted; ok is false for every other form.
func simpleName(mangled string, arguments bool) (name string, ok bool) {
	s, ok := strings.CutPrefix(mangled, "_Z")
	if !ok || s == "" || isRust(mangled) || !affordable(mangled) {
		return "", false
	}
	nested := s[0] == 'N'
	if !nested {
		id, rest, ok := identifier(s)
		if !ok || !continues(rest) {
			return id, ok
		}
	} else {
		s = s[1:]
	}
	b := make([]byte, 0, 128) // on the stack
	for {
		id, rest, ok := identifier(s)
		if !ok || rest == "" {
			return "", false
		}
		if len(b) > 0 {
			b = append(b, "::"...)
		}
		b = append(b, id...)
		if rest[0] == 'I' {
			size := len(b)
			if b, rest, ok = simpleArguments(b, rest); !ok {
				return "", false
			}
			if !arguments {
				b = b[:size]
			}
			if nested && (rest == "" || rest[0] != 'E') {
				return "", false
			}
		}
		switch {
		case !nested:
			return string(b), !continues(rest)
		case rest[0] == 'E':
			return string(b), !continues(rest[1:])
		}
		s = rest
	}
}

// identifier reads "5saxpy" off the front of s. It refuses what is shown
// otherwise: the names of unnamed namespaces, and text that is no identifier,
// which the demangler keeps apart from the brackets around it.
func identifier(s string) (id, rest string, ok bool) {
	size, digits := number(s)
	if size == 0 || digits > 5 || size > len(s)-digits {
		return "", "", false
	}
	id, rest = s[digits:digits+size], s[digits+size:]
	return id, rest, !strings.HasPrefix(id, "_GLOBAL_") && (!hasNonWord(id) || !strings.ContainsAny(id, "<>()"))
}

// continues reports that a name goes on in rest: with template arguments, a
// tag or a constraint.
func continues(rest string) bool {
	return rest != "" && (rest[0] == 'I' || rest[0] == 'B' || rest[0] == 'Q')
}

// simpleArguments reads template arguments off the front of s, which begins
// with "I", and appends them to b as the demangler writes them.
func simpleArguments(b []byte, s string) (written []byte, rest string, ok bool) {
	b = append(b, '<')
	for s = s[1:]; s != "" && s[0] != 'E'; ok = true {
		if ok {
			b = append(b, ", "...)
		}
		if b, s, ok = simpleArgument(b, s); !ok || continues(s) {
			return b, "", false
		}
	}
	if s == "" || !ok {
		return b, "", false
	}
	return append(b, '>'), s[1:], true
}

func simpleArgument(b []byte, s string) (written []byte, rest string, ok bool) {
	switch {
	case s[0] == 'L':
		return simpleLiteral(b, s[1:])
	case isDigit(s[0]):
		id, rest, ok := identifier(s)
		return append(b, id...), rest, ok
	}
	word := builtinWord(s[0])
	return append(b, word...), s[1:], word != ""
}

// builtinWord returns the built-in type that a letter stands for, or "".
func builtinWord(code byte) string {
	switch code {
	case 'a':
		return "signed char"
	case 'b':
		return "bool"
	case 'c':
		return "char"
	case 'd':
		return "double"
	case 'f':
		return "float"
	case 'h':
		return "unsigned char"
	case 'i':
		return "int"
	case 'j':
		return "unsigned int"
	case 'l':
		return "long"
	case 'm':
		return "unsigned long"
	case 's':
		return "short"
	case 't':
		return "unsigned short"
	case 'x':
		return "long long"
	case 'y':
		return "unsigned long long"
	}
	return ""
}

// simpleLiteral reads "i32E", "jn4E" or "b1E".
func simpleLiteral(b []byte, s string) (written []byte, rest string, ok bool) {
	end := strings.IndexByte(s, 'E')
	if end < 2 {
		return b, "", false
	}
	code, value, rest := s[0], s[1:end], s[end+1:]
	sign := ""
	if digits, negative := strings.CutPrefix(value, "n"); negative {
		sign, value = "-", digits
	}
	if value == "" || strings.Trim(value, "0123456789") != "" {
		return b, "", false
	}
	suffix := ""
	switch code {
	case 'b':
		switch {
		case sign == "" && value == "0":
			b = append(b, "false"...)
		case sign == "" && value == "1":
			b = append(b, "true"...)
		default:
			return b, "", false
		}
		return b, rest, true
	case 'i':
	case 'j':
		suffix = "u"
	case 'l':
		suffix = "l"
	case 'm':
		suffix = "ul"
	case 'x':
		suffix = "ll"
	case 'y':
		suffix = "ull"
	default:
		return b, "", false
	}
	b = append(b, sign...)
	b = append(b, value...)
	return append(b, suffix...), rest, true
}
