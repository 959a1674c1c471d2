package name

import (
	"fmt"
	"slices"
	"testing"
)

// setPatterns are patterns of every kind, many of which have words that a
// demangler writes by itself.
var setPatterns = []string{
	"*", "saxpy", "lin::saxpy<float>", "lin::saxpy<*>", "lin::*", "*saxpy*", "*::hidden", "hidden",
	"(anonymous namespace)::*", "<unnamed>::hidden", "_INTERNAL_*::atomicAdd", "*atomicAdd",
	"_ZN40_GLOBAL__N__cef70a57_9_basics_cu_scale_c6hiddenEPf", "*basics_cu6hiddenEPf",
	"_Z5saxpyPf", "_ZN3lin*", "*kernel*", "*<float>", "*<int, true>", "k<int, (bool)1>",
	"*operator*", "*lambda*", "*{lambda*", "*float*", "*loat80*", "*_Float80*", "*std::*", "*string*", "*vector*",
	"*unsigned int*", "*vtable*", "*guard variable*", "*_kernel?", "free_*", "lb_256", "lb_256_?", "?",
	"re:lin::.*", "re:.*saxpy<(float|double)>", "re:(?i).*SAXPY.*", "re:.*", "re:(lb|free)_[0-9]+", "re:.*(kernel)+.*",
	"re:.*vtable.*", "*T1*", "*auto*", "*decltype*", "*B*", "core::*", "core::hello_big_kernels", "hog", "*const_param",
	"k*", "k", "k<*", "?*::saxpy<*>", "li*", "li", "lin", "lin?*", "l??::*", "lin_0000012*", "lin_*::saxpy<*>", "*in::sax*", "*3lin*", "*xpy",
	"_abc::*", "abc*", "GLOBAL*", "(*", "<*", "~*", "*x*", "_*", "_", "_Z*", "_Z", "_?5saxpy*", "?Z5saxpyPf",
	"re:lin::saxpy<float>", "re:k<int, true>|k<.*", "re:^lin::.*", "re:_Z5saxpy.*", "re:_.*", "re:k.*", "re:(?i)k.*", "re:.*::saxpy<.*",
	"re:lin(::saxpy<float>)+", "re:.*\uFFFD.*", "re:\uFFFD.*",
	"*threadblock*", "*cutlass::*RowMajor*", "*abi:cxx11*", "*clone*", "größe*", "*ß*", "*.static.*",
}

// setNames are the real names and generated ones of every mangling that the
// prefilter must see through.
func setNames(tb testing.TB) []string {
	names := []string{
		"", "_Z", "saxpy", "_Z5saxpyPf", "_Z8größePf", "_ZN3lin5saxpyIdEEvv", "_Z1kIiLi3ELin4ELj5ELb0ELb1ELl6ELm7ELx8ELy9EEvv", "_Z1kIabcdfhijlmstxyEvv", "_Z1kI3Vec4TileEvv",
		"_Z1kI3VecIfEEvv", "_Z1kILb2EEvv", "_Z1kILc65EEvv", "_ZN1AIiE1fILi3EEEvv", "_ZN1A1fIiEB3tagEvv", "_Z1kIEvv", "_Z1kIiE", "_ZN1kIiEE",
		"_Z1kIiLb1EEvv", "_ZTVN3lin5saxpyE",
		"_ZGVZN3lin5saxpyEvE1x", "_Z1kIXadL_ZTV5saxpyEEEvv", "_Z1kIDF80_EvT_", "_Z1kIDF128_EvT_", "_Z1kIDhEvT_",
		"_ZZ5saxpyvENKUlvE_clEv", "_ZZ5saxpyvENKUlT_E_clIiEEDaS_", "_ZN1AcvT_IiEEv", "_ZlsRSoRK5saxpy", "_Z1kSs", "_ZNSs5saxpyEv",
		"_Z1kISaIcEEvv", "_Z1fB5cxx11v", "_ZN4core17hello_big_kernelsE", "_ZN4core3fmt5write17h0123456789abcdefE",
		"_RNvCs1234_7mycrate4main", "_RINvNtC3lin5saxpyfE", "__nv_static_29__16_CUDA_HOG_cpp1_ii_04c76ffe__Z3hogPf",
		"__nv_static_27__14_coords_cpp1_ii_7126c51d_const_param", "_ZL6kernelPf__static__0123456789abcdef",
		"_Z6kernelPf.static.0123456789abcdef", "_Z3foov$1", "_ZN12_GLOBAL__N_16hiddenEPf", "___Z3foov_block_invoke",
		// First identifiers that a canonical form, a demangler or a suffix changes.
		"_ZN3lin40_GLOBAL__N__1251166d_9_basics_cu_scale_c5saxpyEv", "_ZN5lin1240_GLOBAL__N__1251166d_9_basics_cu_scale_c5saxpyEv",
		"_ZN11lin_00000125saxpyIfEEviT_PKS1_PS1_", "_ZN43lin_GLOBAL__N__1251166d_9_basics_cu_scale_c5saxpyEv",
		"_ZN4lin_12_GLOBAL__N_15saxpyEv", "_Z22kernel__static__", "_Z38kernel__static__0123456789abcdef0123456", "_Z6kernelffffffff",
		"_ZN4_abc17h0123456789abcdefE", "_ZN3abc17h0123456789abcdefE", "_ZN5a$LT$17h0123456789abcdefE", "_ZN3abc17h0123456789abcdefE.llvm.1",
		"_ZN3lin44_GLOBAL__N__30_17h0123456789abcdefE_cpp1_iiE", "_ZN3lin31_GLOBAL__N__12_ab17_cpp1_iih0123456789abcdefE",
		"_Z10_Z5saxpyPfv", "_ZL10_Z5saxpyPf", "_Z11 _Z5saxpyPfv", "_ZN2ZTIfLi3EEE8_Z3hogPfN17h0123456789abcdefE",
		"_Z5 saxp", "_Z7sax pyf", "_Z7(int)1f", "_ZN3lin9<unnamed>5saxpyEv", "_ZN12lin::saxpy<fEEv", "_Z05saxpyPf", "_Z99999saxpy", "_Z5sax\xdfy", "_Z5sax\xe9\xe9v",
		"_Z1kv", "_Z2k2v", "_Z1kIfEvv", "_ZNK1k1kEv", "_ZL1kv", "_ZZ1kvE1k", "_ZN1kC1Ev", "_ZN1kD1Ev", "_ZN1kcvfEv", "_ZN3linli1xEe", "_Z3linB5saxpyv", "_Z3linIfQ1xEvv",
		"_ZN3linL5saxpyE", "_ZN3linUlvE_E", "_ZN3linDC1a1bEE", "_ZNV3lin5saxpyEv", "_ZNr3lin5saxpyEv", "_ZNO3lin5saxpyEv", "_Z3lin.saxpy", "_Z3lin.isra.0",
		"\xff\xfe", "k\xff", "_Z1\xff", "_Z2k\xff", "k", "K", "ka", "_", "_Z1", "_Z0k", "_Zk",
		"_Z1kIXsrSt6vectorE1xEEvv", "_Z1fDv4_f", "_Z1kIJifEEvDpT_", "_Z1kIN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEEvv",
		"_Z1kIXcl5saxpyT_EEvT_", "_Z1kILf3f800000EEvv", "lin::saxpy<float>", "k<int, true>", "_Zlin::saxpy", "_Z lin",
	}
	for _, n := range realNames(tb) {
		names = append(names, n.mangled)
	}
	for _, scope := range []string{"lin", "kernel", "string", "float4", "std"} {
		for _, fn := range []string{"saxpy", "free_12", "hidden", "lambda", "operatorx"} {
			names = append(names,
				fmt.Sprintf("_ZN%d%s%d%sEPf", len(scope), scope, len(fn), fn),
				fmt.Sprintf("_ZN%d%s%d%sIfEEvT_", len(scope), scope, len(fn), fn),
				fmt.Sprintf("_Z%d%sIN%d%s1xEEvT_", len(fn), fn, len(scope), scope),
				fmt.Sprintf("_ZN%d%s21_INTERNAL_9_bounds_cu%d%sEv", len(scope), scope, len(fn), fn))
		}
	}
	return names
}

func compileAll(tb testing.TB, texts []string) []*Pattern {
	tb.Helper()
	patterns := make([]*Pattern, len(texts))
	for i, text := range texts {
		p, err := CompilePattern(text)
		if err != nil {
			tb.Fatalf("CompilePattern(%q): %v", text, err)
		}
		patterns[i] = p
	}
	return patterns
}

// matchAll is what Set must agree with: each pattern asked about each name,
// with the name demangled.
func matchAll(patterns []*Pattern, mangled string) []int {
	var found []int
	for i, p := range patterns {
		if p.Match(mangled) {
			found = append(found, i)
		}
	}
	return found
}

// matchDemangled is what Match must agree with: it takes none of the ways in
// which that avoids to demangle a name.
func matchDemangled(p *Pattern, mangled string) bool {
	stable := Canonical(mangled)
	shown := qualified(stable)
	if p.re != nil {
		return p.re.MatchString(mangled) || p.re.MatchString(stable) || shown != stable && p.re.MatchString(shown)
	}
	return p.raw.match(mangled) || p.raw.match(stable) || p.differ && p.asIs.match(mangled) ||
		shown != stable && p.tidy.match(normalizeAll(shown))
}

func TestPatternMatchEqualsDemangling(t *testing.T) {
	names := setNames(t)
	for _, p := range compileAll(t, setPatterns) {
		for _, mangled := range names {
			if got, want := p.Match(mangled), matchDemangled(p, mangled); got != want {
				t.Errorf("pattern %q (start %q), name %q (%s): %v, want %v", p, p.start.word, mangled, Qualified(mangled), got, want)
			}
		}
	}
}

func TestSetEqualsDemanglingAll(t *testing.T) {
	patterns := compileAll(t, setPatterns)
	// The real names are patterns too, as PTX declares bounds by mangled name.
	for _, n := range realNames(t) {
		patterns = append(patterns, compileAll(t, []string{n.mangled})...)
	}
	set := NewSet(patterns)
	if set.Len() != len(patterns) {
		t.Errorf("Len() = %d, want %d", set.Len(), len(patterns))
	}
	matches := 0
	for _, mangled := range setNames(t) {
		want := matchAll(patterns, mangled)
		got := set.Match(mangled, []int{-7})
		if got[0] != -7 || !slices.Equal(got[1:], want) {
			t.Errorf("%q (%s): Set finds %v, one by one %v", mangled, Qualified(mangled), got[1:], want)
			for _, i := range want {
				if !slices.Contains(got, i) {
					t.Errorf("  missing %q with needle %q", patterns[i], patterns[i].needle.text)
				}
			}
		}
		matches += len(want)
	}
	if matches < 1000 {
		t.Errorf("only %d matches: the test proves little", matches)
	}
}

// Each pattern alone, so that another one's needle can't help it.
func TestSetOfOne(t *testing.T) {
	names := setNames(t)
	for _, p := range compileAll(t, setPatterns) {
		set := NewSet([]*Pattern{p})
		for _, mangled := range names {
			if got := len(set.Match(mangled, nil)) == 1; got != p.Match(mangled) {
				t.Errorf("pattern %q (needle %q), name %q: Set says %v", p, p.needle.text, mangled, got)
			}
		}
	}
}

func TestSetDoesNotDemangleOthers(t *testing.T) {
	set := NewSet(compileAll(t, []string{"lin::saxpy<*>", "*reduce*", "re:blas::.*gemv.*", "_Z5scalePf"}))
	var dst []int
	for _, mangled := range []string{"_ZN3lin5scaleIfEEvT_", "_Z23encoder_forward_kernel2P13__nv_bfloat16PKiPKS_S4_iii"} {
		// A name is demangled with dozens of allocations.
		if n := testing.AllocsPerRun(100, func() { dst = set.Match(mangled, dst[:0]) }); n != 0 {
			t.Errorf("%q costs %v allocations", mangled, n)
		}
		if len(dst) != 0 {
			t.Errorf("%q matches %v", mangled, dst)
		}
	}
}

// The caller's slice is all that matching by the first identifier needs.
func TestSetMatchAllocatesNothing(t *testing.T) {
	set := NewSet(compileAll(t, []string{"reduce_*", "scale", "lin::saxpy<*>"}))
	dst := make([]int, 0, 8)
	for _, mangled := range []string{"_Z8reduce_aPKfPfm", "_Z5scalePf", "_Z6scale2Pf", "_ZN3lin5scaleIfEEvT_", "scale"} {
		if n := testing.AllocsPerRun(100, func() { dst = set.Match(mangled, dst[:0]) }); n != 0 {
			t.Errorf("%q costs %v allocations", mangled, n)
		}
	}
}

func TestNeedles(t *testing.T) {
	tests := []struct {
		pattern string
		needle  needle
	}{
		{"*", needle{}},
		{"lin::saxpy<float>", needle{"saxpy", true}},
		{"*saxpy", needle{"saxpy", false}},
		{"saxpy?", needle{"saxpy", false}},
		{"*::saxpy<*>", needle{"saxpy", true}},
		{"lin::*very_long", needle{"lin", true}}, // whole is worth more than long
		{"lin*::very_long", needle{"very_long", true}},
		{"a::b", needle{}},
		{"*float*", needle{}}, // also a built-in type
		{"float_kernel", needle{"float_kernel", true}},
		{"std::*", needle{}},
		{"std::vector_add<*>", needle{"vector_add", true}},
		{"k<128u, unsigned int>", needle{}},
		{"(anonymous namespace)::*", needle{}},
		{"_GLOBAL__N__99999999_9_basics_cu_main::hidden", needle{"hidden", true}},
		{"re:lin::(saxpy|scale)", needle{"lin", false}}, // nothing says that a match begins there
		{"re:(lin::saxpy)+", needle{"saxpy", false}},
		{"re:.*::saxpy<.*", needle{"saxpy", true}},
		{"re:(lin::saxpy)?", needle{}},
		{"re:(?i)saxpy", needle{}},
		{"re:(saxpy){2,3}x*", needle{"saxpy", false}},
		{"re:(saxpy){0,3}", needle{}},
	}
	for _, tt := range tests {
		if p := compileAll(t, []string{tt.pattern})[0]; p.needle != tt.needle {
			t.Errorf("needle of %q is %v, want %v", tt.pattern, p.needle, tt.needle)
		}
	}
}
