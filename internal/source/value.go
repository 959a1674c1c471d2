package source

import (
	"math"
	"strconv"
	"strings"
)

// value is a constant of C++ as far as launch bounds need one: an integer
// with what matters of its type.
type value struct {
	n        int64
	unsigned bool
	wide     bool // 64 bits
}

// failure says why an expression has no value: a reason for people, or the
// condition that must be decided first.
type failure struct {
	reason string
	pos    pos
	need   *formula
	hinted bool // the reason says what else it could be
}

func failing(p pos, parts ...string) *failure {
	return &failure{reason: strings.Join(parts, ""), pos: p}
}

// settle checks that n is what C++ computes: the evaluator knows signed
// 64-bit numbers, and where a C++ type would wrap or overflow, it gives up.
func (v value) settle(p pos) (value, *failure) {
	switch {
	case v.unsigned && v.n < 0:
		return v, failing(p, "unsigned arithmetic wraps around")
	case !v.wide && v.unsigned && v.n > math.MaxUint32, !v.wide && !v.unsigned && (v.n > math.MaxInt32 || v.n < math.MinInt32):
		return v, failing(p, "the result does not fit 32 bits")
	}
	return v, nil
}

// literal reads an integer literal.
func literal(t token) (value, *failure) {
	text := strings.ReplaceAll(t.text, "'", "")
	lower := strings.ToLower(text)
	digits := lower
	hex := strings.HasPrefix(lower, "0x")
	for len(digits) > 0 && strings.IndexByte("ulz", digits[len(digits)-1]) >= 0 {
		digits = digits[:len(digits)-1]
	}
	suffix := lower[len(digits):]
	if !hex && strings.ContainsAny(digits, ".ef") {
		return value{}, failing(t.pos, t.text, " is not an integer")
	}
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil || strings.Contains(digits, "_") || strings.HasPrefix(digits, "0o") || n > math.MaxInt64 {
		return value{}, failing(t.pos, "the number ", shortText(t.text), " can't be read")
	}
	v := value{n: int64(n), unsigned: strings.Contains(suffix, "u"), wide: strings.ContainsAny(suffix, "lz")}
	if hex && !v.wide && n > math.MaxInt32 {
		v.unsigned = true
	}
	if n > math.MaxUint32 || !v.unsigned && n > math.MaxInt32 {
		v.wide = true
	}
	return v, nil
}

// character reads a character literal of one byte or a simple escape.
func character(t token) (value, *failure) {
	text := strings.Trim(strings.TrimLeft(t.text, "LuU8"), "'")
	escapes := map[string]int64{`\n`: '\n', `\t`: '\t', `\0`: 0, `\\`: '\\', `\'`: '\'', `\r`: '\r'}
	if n, ok := escapes[text]; ok {
		return value{n: n}, nil
	}
	if len(text) == 1 && text[0] < 0x80 {
		return value{n: int64(text[0])}, nil
	}
	return value{}, failing(t.pos, "the character ", shortText(t.text), " can't be read")
}

// shortText cuts text for a message.
func shortText(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

func truth(b bool) value {
	if b {
		return value{n: 1}
	}
	return value{}
}

// operate applies an operator of C++.
func operate(op string, a, b value, p pos) (value, *failure) {
	r := value{unsigned: a.unsigned && (a.wide || !b.wide) || b.unsigned && (b.wide || !a.wide), wide: a.wide || b.wide}
	if r.unsigned && (a.n < 0 || b.n < 0) {
		// -1 < 4u is false in C++; nobody writes it on purpose.
		return r, failing(p, "a negative number meets an unsigned one")
	}
	overflow := failing(p, "the result does not fit 64 bits")
	switch op {
	case "+":
		r.n = a.n + b.n
		if (r.n > a.n) != (b.n > 0) && b.n != 0 {
			return r, overflow
		}
	case "-":
		r.n = a.n - b.n
		if (r.n < a.n) != (b.n > 0) && b.n != 0 {
			return r, overflow
		}
	case "*":
		r.n = a.n * b.n
		if a.n != 0 && (r.n/a.n != b.n || a.n == -1 && b.n == math.MinInt64) {
			return r, overflow
		}
	case "/", "%":
		if b.n == 0 {
			return r, failing(p, "division by zero")
		}
		if a.n == math.MinInt64 && b.n == -1 {
			return r, overflow
		}
		if r.n = a.n / b.n; op == "%" {
			r.n = a.n % b.n
		}
	case "<<", ">>":
		r.unsigned, r.wide = a.unsigned, a.wide
		if b.n < 0 || b.n > 62 || a.n < 0 {
			return r, failing(p, "a shift by ", strconv.FormatInt(b.n, 10), " of ", strconv.FormatInt(a.n, 10))
		}
		if r.n = a.n >> uint(b.n); op == "<<" {
			if r.n = a.n << uint(b.n); r.n>>uint(b.n) != a.n {
				return r, overflow
			}
		}
	case "&":
		r.n = a.n & b.n
	case "|":
		r.n = a.n | b.n
	case "^":
		r.n = a.n ^ b.n
	case "==":
		return truth(a.n == b.n), nil
	case "!=":
		return truth(a.n != b.n), nil
	case "<":
		return truth(a.n < b.n), nil
	case "<=":
		return truth(a.n <= b.n), nil
	case ">":
		return truth(a.n > b.n), nil
	case ">=":
		return truth(a.n >= b.n), nil
	default:
		return r, failing(p, "the operator ", op, " is not understood")
	}
	return r.settle(p)
}
