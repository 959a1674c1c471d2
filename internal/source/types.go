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
	if len(toks) == 0 || len(toks) > 16 || toks[0].kind != ident && !toks[0].is("::") {
		return v, false, nil
	}
	name := strings.TrimPrefix(typeText(toks), "::")
	bits, ok := integers[name]
	if !ok {
		if _, known := precedenceWords[name]; known || len(pathOf(toks)) == 0 || s.isValue(toks) {
			return v, false, nil
		}
		t, f := s.typeOf(toks)
		switch {
		case f != nil:
			return v, false, nil
		case t.scope != nil:
			return v, t.scope.kind == enumScope, nil // of an enumeration: the number stays
		}
		if bits, ok = integers[t.name]; !ok {
			return v, false, nil
		}
	}
	v, f := convert(v, bits, p)
	return v, true, f
}

var precedenceWords = map[string]bool{"true": true, "false": true, "sizeof": true}

// isValue reports whether toks name something that is no type.
func (s *site) isValue(toks []token) bool {
	if len(toks) != 1 {
		return false
	}
	if v := s.variable(toks[0].text); v != nil {
		return v.typ == nil
	}
	all, _ := s.lookup(toks[0].text)
	for _, f := range all {
		if f.m.kind == constMember || f.m.kind == functionMember {
			return true
		}
	}
	return len(all) == 0
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
	if _, known := integers[name]; !known && len(toks) > 0 {
		t, f := s.typeOf(toks)
		if f != nil {
			return value{}, f
		}
		if t.scope != nil {
			return value{}, failing(p, "the size of ", t.scope.name, " is not known")
		}
		name = t.name
	}
	if name == "long" || name == "unsigned long" {
		return value{}, failing(p, "the size of long depends on the system")
	}
	if bits, ok := integers[name]; ok {
		return size(max(1, int64(max(bits, -bits))/8))
	}
	if n, ok := sizes[name]; ok {
		return size(n)
	}
	if strings.HasSuffix(name, "*") {
		return size(8)
	}
	return value{}, failing(p, "the size of ", shortText(name), " is not known")
}

// typeOf reads a type.
func (s *site) typeOf(toks []token) (*typeRef, *failure) {
	t, f := s.unqualified(toks)
	if f != nil {
		return nil, f
	}
	// What stands beside a name belongs to the type that it names. Of pointers
	// nothing more is compared.
	var q typeRef
	for i := 0; i < len(toks); i++ {
		switch {
		case toks[i].is("<"):
			if end := angle(toks, i); end > 0 {
				i = end
			}
		case toks[i].isIdent("const"):
			q.constant = true
		case toks[i].isIdent("volatile"):
			q.volatile = true
		case toks[i].is("&") || toks[i].is("&&"):
			q.reference = true
		}
	}
	if !q.constant && !q.volatile && !q.reference {
		return t, nil
	}
	whole := *t
	whole.constant, whole.volatile, whole.reference = t.constant || q.constant, t.volatile || q.volatile, t.reference || q.reference
	return &whole, nil
}

// unqualified reads a type without const and the like, and without what makes
// a reference of it.
func (s *site) unqualified(toks []token) (*typeRef, *failure) {
	toks = integerType(toks)
	for len(toks) > 0 && (toks[len(toks)-1].is("&") || toks[len(toks)-1].is("&&")) {
		toks = toks[:len(toks)-1]
	}
	if len(toks) == 0 {
		return nil, failing(pos{}, "a type is missing")
	}
	if s.r.steps++; s.r.steps > maxSteps || s.depth > maxSites {
		return nil, failing(toks[0].pos, shortText(spell(toks)), " takes too many steps")
	}
	text := strings.TrimPrefix(typeText(toks), "::")
	if _, ok := integers[text]; ok || toks[len(toks)-1].is("*") {
		return &typeRef{name: text}, nil
	}
	e := &evaluator{toks: toks, names: s, at: toks[0].pos}
	steps, global := s.path(e)
	if len(steps) == 0 || e.i < len(toks) {
		return nil, failing(toks[0].pos, "the type ", shortText(spell(toks)), " is not understood")
	}
	return s.typeOfSteps(steps, global)
}

func (s *site) typeOfSteps(steps []step, global bool) (*typeRef, *failure) {
	if len(steps) == 1 && !global {
		if v := s.variable(steps[0].tok.text); v != nil {
			if v.why != "" {
				return nil, failing(steps[0].tok.pos, v.why)
			}
			if v.typ == nil {
				return nil, failing(steps[0].tok.pos, steps[0].tok.text, " is no type")
			}
			return v.typ, nil
		}
	}
	if t, ok, f := s.standardType(steps); ok {
		return t, f
	}
	from := s
	if global {
		from = s.at(s.r.unit.root, nil)
	}
	if len(steps) > 1 {
		if v := s.variable(steps[0].tok.text); v != nil && v.typ != nil && v.why == "" {
			return s.member(v.typ, steps[1:], steps)
		} else if v != nil && v.why != "" {
			return nil, failing(steps[0].tok.pos, v.why)
		}
		if at := s.namespaceOf(from.scope, []string{steps[0].tok.text}); at != nil {
			i := 1
			for ; i < len(steps)-1; i++ {
				inner := innerNamespace(at, steps[i].tok.text)
				if inner == nil {
					break
				}
				at = inner
			}
			return s.typeFrom(&site{r: s.r, scope: at, depth: s.depth + 1}, steps[i:])
		}
	}
	return s.typeFrom(from, steps)
}

// typeFrom resolves a type whose first name is looked up from a site; the
// template arguments are read at s.
func (s *site) typeFrom(from *site, steps []step) (*typeRef, *failure) {
	first := steps[0]
	all, f := from.lookup(first.tok.text)
	if f != nil {
		return nil, f
	}
	if len(all) == 0 {
		return &typeRef{name: spellSteps(steps)}, nil
	}
	t, f := s.typeMember(all, first)
	if f != nil {
		return nil, f
	}
	return s.member(t, steps[1:], steps)
}

// member follows the rest of a qualified name into a type.
func (s *site) member(t *typeRef, rest, whole []step) (*typeRef, *failure) {
	for _, st := range rest {
		if t.scope == nil {
			return &typeRef{name: spellSteps(whole)}, nil
		}
		all, f := s.within(t.scope, t.vars, st.tok.text, 0)
		if f != nil {
			return nil, f
		}
		if len(all) == 0 {
			return nil, failing(st.tok.pos, st.tok.text, " is not defined in ", t.scope.name)
		}
		if t, f = s.typeMember(all, st); f != nil {
			return nil, f
		}
	}
	return t, nil
}
