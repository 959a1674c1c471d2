package source

import (
	"math"
	"strings"
)

// integers are the integer types by name, with how many bits they have;
// negative for unsigned ones. long is left out of what is converted to: it has
// 32 bits on Windows and 64 elsewhere.
var integers = map[string]int{
	"int": 32, "signed": 32, "signed int": 32, "unsigned": -32, "unsigned int": -32, "short": 16, "unsigned short": -16,
	"char": 8, "signed char": 8, "unsigned char": -8, "bool": 1,
	"long": 64, "unsigned long": -64,
	"long long": 64, "long long int": 64,
	"unsigned long long": -64, "unsigned long long int": -64,
	"int8_t": 8, "int16_t": 16, "int32_t": 32, "int64_t": 64, "uint8_t": -8, "uint16_t": -16, "uint32_t": -32, "uint64_t": -64,
	"size_t": -64, "ptrdiff_t": 64, "uint": -32, "ushort": -16, "uchar": -8, "std::size_t": -64, "std::ptrdiff_t": 64,
	"std::int8_t": 8, "std::int16_t": 16, "std::int32_t": 32, "std::int64_t": 64,
	"std::uint8_t": -8, "std::uint16_t": -16, "std::uint32_t": -32, "std::uint64_t": -64,
}

// sizes are the sizes of other types in bytes, by the CUDA headers.
var sizes = map[string]int64{
	"float": 4, "double": 8, "__half": 2, "half": 2, "__half2": 4, "half2": 4, "__nv_bfloat16": 2, "nv_bfloat16": 2, "__nv_bfloat162": 4, "nv_bfloat162": 4,
	"__nv_fp8_e4m3": 1, "__nv_fp8_e5m2": 1, "float2": 8, "float3": 12, "float4": 16, "int2": 8, "int3": 12, "int4": 16, "uint2": 8, "uint3": 12, "uint4": 16,
	"double2": 16, "short2": 4, "short4": 8, "ushort2": 4, "ushort4": 8, "char2": 2, "char4": 4, "uchar2": 2, "uchar4": 4, "longlong2": 16, "ulonglong2": 16,
}

// qualifierWords say nothing about a type's values.
var qualifierWords = map[string]bool{
	"const": true, "volatile": true, "static": true, "constexpr": true, "inline": true, "__device__": true, "__host__": true, "extern": true,
	"__constant__": true, "typename": true, "struct": true, "class": true, "enum": true, "mutable": true, "__forceinline__": true, "constinit": true,
}

// integerType strips the words that are no part of a type.
func integerType(toks []token) []token {
	var out []token
	for i := 0; i < len(toks); i++ {
		if n := attributeAt(toks, i); n > 0 {
			i += n - 1
			continue
		}
		if toks[i].kind != ident || !qualifierWords[toks[i].text] {
			out = append(out, toks[i])
		}
	}
	return out
}

// notInteger reports whether a type can't hold launch bounds: a number with a
// fraction, or a pointer.
func notInteger(toks []token) bool {
	for _, t := range toks {
		if t.isIdent("float") || t.isIdent("double") || t.isIdent("half") || t.isIdent("__half") || t.is("*") {
			return true
		}
	}
	return false
}

func typeText(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && t.kind == ident && toks[i-1].kind == ident {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// cast implements names.
func (s *site) cast(toks []token, v value, p pos) (value, bool, *failure) {
	toks = integerType(toks)
	bits, ok := integers[strings.TrimPrefix(typeText(toks), "::")]
	if !ok {
		var isType bool
		if bits, isType = s.named(toks, 0); !isType {
			return v, false, nil
		}
		if bits == 0 {
			return v, true, nil // of an enumeration: the number stays
		}
	}
	v, f := convert(v, bits, p)
	return v, true, f
}

// named finds the integer type that a name stands for, by its bits; 0 is an
// enumeration.
func (s *site) named(toks []token, depth int) (bits int, isType bool) {
	path := namesOf(toks)
	if path == nil || len(toks) > 16 || depth > 8 || s.variable(path[0].text) != nil {
		return 0, false
	}
	q := qualified{toks: path, global: toks[0].is("::")}
	all, _, f := s.members(q)
	if f != nil || len(all) != 1 {
		return 0, false
	}
	switch m := all[0]; {
	case m.template:
	case m.kind == aliasMember:
		target := integerType(m.value)
		if bits, isType = integers[strings.TrimPrefix(typeText(target), "::")]; !isType {
			return s.inside(m).named(target, depth+1)
		}
		return bits, true
	case m.kind == classMember:
		return 0, m.inner != nil && m.inner.kind == enumScope
	}
	return 0, false
}

// convert changes a value's type. What does not fit is a failure: the language
// would change the number.
func convert(v value, bits int, p pos) (value, *failure) {
	r := value{n: v.n, unsigned: bits < 0, wide: bits == 64 || bits == -64}
	switch {
	case bits == 1:
		return truth(v.n != 0), nil
	case bits < 0:
		if v.n < 0 || bits > -64 && v.n > math.MaxInt64>>(63+bits) {
			return r, failing(p, "the value does not fit the type that it is converted to")
		}
	case bits < 64:
		if limit := int64(1) << (bits - 1); v.n >= limit || v.n < -limit {
			return r, failing(p, "the value does not fit the type that it is converted to")
		}
	}
	return r, nil
}

// sizeOf implements names.
func (s *site) sizeOf(toks []token, p pos) (value, *failure) {
	size := func(n int64) (value, *failure) { return value{n: n, unsigned: true, wide: true}, nil }
	toks = integerType(toks)
	if n := len(toks); n > 0 && toks[n-1].is("*") {
		return size(8)
	}
	name := strings.TrimPrefix(typeText(toks), "::")
	if v := s.variable(name); v != nil {
		if v.why != "" || v.typ == "" {
			return value{}, failing(p, "the size of ", shortText(name), " is not known")
		}
		name = v.typ
	}
	if name == "long" || name == "unsigned long" {
		return value{}, failing(p, "the size of long depends on the system")
	}
	if n, ok := sizes[name]; ok {
		return size(n)
	}
	bits, ok := integers[name]
	if !ok {
		if bits, ok = s.named(toks, 0); bits == 0 {
			ok = false
		}
	}
	if !ok {
		return value{}, failing(p, "the size of ", shortText(name), " is not known")
	}
	return size(max(1, int64(max(bits, -bits))/8))
}
