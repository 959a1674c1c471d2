package source

import (
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// signature is the types of a function's parameters, without their names and
// without const: "float*", "int". Declarations with the same one are of the
// same function.
func signature(toks []token) []string {
	if arity(toks) == 0 {
		return []string{}
	}
	var types []string
	for _, p := range split(toks) {
		if at := slices.IndexFunc(p, func(t token) bool { return t.is("=") }); at >= 0 {
			p = p[:at]
		}
		p = integerType(p)
		p = slices.DeleteFunc(slices.Clone(p), func(t token) bool { return t.isIdent("__restrict__") || t.isIdent("__restrict") })
		if n := len(p); n > 1 && p[n-1].kind == ident && !p[n-2].is("::") && !typeWords[p[n-1].text] {
			p = p[:n-1]
		}
		types = append(types, typeText(p))
	}
	return types
}

// typeWords are the words that types of several words end in.
var typeWords = map[string]bool{
	"int": true, "char": true, "short": true, "long": true, "unsigned": true, "signed": true, "double": true, "float": true, "bool": true,
}

// excludes reports whether a function of this signature can't be the one with
// these parameters in its mangled name. It only knows built-in types and
// pointers to them; everything else may be.
func excludes(types []string, parameters []demangle.AST) bool {
	if len(types) != len(parameters) {
		return false // the number is compared elsewhere
	}
	for i, p := range parameters {
		own, ok := plainType(types[i])
		other, known := plainTree(p)
		if ok && known && own != other {
			return true
		}
	}
	return false
}

// plainType makes one word of a built-in type and the pointers to it.
func plainType(text string) (string, bool) {
	base := strings.TrimRight(text, "*")
	name, ok := builtinName(base)
	return name + text[len(base):], ok
}

func plainTree(a demangle.AST) (string, bool) {
	stars := ""
	for {
		switch t := a.(type) {
		case *demangle.TypeWithQualifiers:
			a = t.Base
		case *demangle.PointerType:
			a, stars = t.Base, stars+"*"
		case *demangle.BuiltinType:
			name, ok := builtinName(t.Name)
			return name + stars, ok
		default:
			return "", false
		}
	}
}

// builtinName is the one name of a built-in type that has several. It reports
// false for names that are no built-in type on every system: int64_t is long
// or long long.
func builtinName(name string) (string, bool) {
	switch name = strings.TrimPrefix(name, "std::"); name {
	case "bool", "char", "short", "int", "long", "float", "double", "void",
		"signed char", "unsigned char", "unsigned short", "unsigned int", "unsigned long", "unsigned long long":
		return name, true
	case "long long", "long long int":
		return "long long", true
	case "unsigned long long int":
		return "unsigned long long", true
	case "signed", "signed int", "int32_t":
		return "int", true
	case "unsigned", "uint", "uint32_t":
		return "unsigned int", true
	case "int8_t":
		return "signed char", true
	case "uint8_t":
		return "unsigned char", true
	case "int16_t":
		return "short", true
	case "ushort", "uint16_t":
		return "unsigned short", true
	}
	return "", false
}
