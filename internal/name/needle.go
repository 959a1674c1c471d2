package name

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// A needle is a text that must occur in a mangled name (or in its canonical
// form) for a pattern to match it, so that the other names need not be
// demangled to know that they don't match. Identifiers are written out in a
// mangled name the first time they are used, so each identifier of a
// qualified name is in the mangled one, except for the words that stand for a
// code there: built-in types, names of std, operators and expressions.
//
// Three kinds of name are always demangled: special names (tables, thunks,
// guards) and those of Rust show words that this file does not list, and the
// identifiers of hostile names can hold blanks and brackets.

// minNeedle is the shortest needle worth looking for; shorter ones are codes
// or template parameters that could not be resolved ("T1").
const minNeedle = 3

// madeWords are the words that a demangler writes without reading them.
var madeWords = [...]string{
	// types
	"void", "wchar_t", "bool", "signed", "char", "unsigned", "short", "int", "long", "float", "double",
	"__int128", "__float128", "char8_t", "char16_t", "char32_t", "decimal32", "decimal64", "decimal128",
	"half", "_Float16", "_Float32", "_Float64", "_Float128", "_Float32x", "_Float64x", "bfloat16_t",
	"_BitInt", "_Accum", "_Fract", "_Sat", "_Complex", "_Imaginary", "complex", "imaginary", "nullptr_t",
	"__vector", "vector", "auto", "decltype", "const", "volatile", "restrict", "noexcept", "throw",
	"struct", "class", "union", "enum", "typename", "template", "transaction_safe",
	// names of std
	"std", "allocator", "basic_string", "string", "char_traits", "istream", "ostream", "iostream",
	"basic_istream", "basic_ostream", "basic_iostream",
	// expressions
	"operator", "new", "delete", "co_await", "sizeof", "alignof", "__alignof__", "__uuidof", "typeid",
	"const_cast", "dynamic_cast", "reinterpret_cast", "static_cast", "this", "true", "false", "nullptr",
	"requires", "enable_if", "friend", "and", "or", "not", "java", "resource", "literal", "subobject",
	// what has no name
	"anonymous", "namespace", "lambda", "unnamed", "type", "parm", "default", "arg", "block", "abi",
	"structured", "binding", "declaration", "string_literal", "initializer", "extended", "typedef",
	"template_parameter_object", "module", "alloc_token", "clone", "unknown",
}

// madeUp reports a text that a demangler can have written by itself, as a
// whole word or as a piece of one. Some words get a width ("_Float80").
func madeUp(text string) bool {
	if stem := strings.TrimRight(strings.TrimSuffix(text, "x"), "0123456789"); len(stem) < len(text) && stem != "" {
		text = stem
	}
	for _, word := range madeWords {
		if strings.Contains(word, text) {
			return true
		}
	}
	return false
}

// needle is a text to look for.
type needle struct {
	text string
	// whole says that the text is a whole identifier, so that a mangled name
	// holds it behind its length: "5saxpy".
	whole bool
}

// better prefers whole identifiers, and longer ones.
func (n needle) better(than needle) bool {
	if n.whole != than.whole {
		return n.whole
	}
	return len(n.text) > len(than.text)
}

// bestNeedle returns the best usable identifier in a literal text, or best
// itself. inner says that an identifier that ends where the text does may go
// on in what the pattern leaves open there.
func bestNeedle(text string, inner bool, best needle) needle {
	for i := 0; i < len(text); {
		if !isWord(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && isWord(text[end]) {
			end++
		}
		open := inner && (i == 0 || end == len(text)) ||
			i > 0 && text[i-1] >= wildOne || end < len(text) && text[end] >= wildOne
		if n := (needle{text[i:end], !open}); usable(n.text) && n.better(best) {
			best = n
		}
		i = end
	}
	return best
}

// usable refuses what a mangled name need not hold as it is: numbers and the
// suffixes of literals, and identifiers with an id that canonical names lose.
func usable(word string) bool {
	return len(word) >= minNeedle && !isDigit(word[0]) && nextMark(word, 0) < 0 &&
		!strings.HasPrefix(word, "_GLOBAL_") && !madeUp(word)
}

// globNeedle returns the needle of a text with wildcards; those are no part
// of a word.
func globNeedle(wild string) needle { return bestNeedle(wild, false, needle{}) }

// regexpSteps returns how many instructions a regular expression compiles to.
func regexpSteps(expr string) int {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// regexpTexts returns two texts that every match of a regular expression
// holds: the needle, an identifier, and the longest one that is written out.
func regexpTexts(expr string) (needle, string) {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return needle{}, ""
	}
	var r required
	r.visit(re.Simplify(), 0)
	return r.needle, r.longest
}

// required collects what each match of an expression must hold.
type required struct {
	needle  needle
	longest string
}

func (r *required) visit(re *syntax.Regexp, depth int) {
	const deepest = 1000 // the parser's own limit on nesting
	if depth > deepest {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		// The replacement character stands for invalid bytes too.
		if text := string(re.Rune); re.Flags&syntax.FoldCase == 0 && !strings.ContainsRune(text, utf8.RuneError) {
			r.needle = bestNeedle(text, true, r.needle)
			if len(text) > len(r.longest) {
				r.longest = text
			}
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			r.visit(sub, depth+1)
		}
	case syntax.OpCapture, syntax.OpPlus:
		r.visit(re.Sub[0], depth+1)
	case syntax.OpRepeat:
		if re.Min > 0 {
			r.visit(re.Sub[0], depth+1)
		}
	default: // nothing that each match must hold
	}
}
