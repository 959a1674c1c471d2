package name

import (
	"strings"
	"testing"
	"time"
)

func TestDemangleEqualsCppfilt(t *testing.T) {
	for _, n := range realNames(t) {
		if got := Demangle(n.mangled); got != n.demangled {
			t.Errorf("Demangle(%q)\n got %q\nwant %q", n.mangled, got, n.demangled)
		}
	}
}

func TestQualifiedAndFamily(t *testing.T) {
	tests := []struct{ mangled, qualified, family string }{
		{"saxpy", "saxpy", "saxpy"},
		{"", "", ""},
		{"_Z5saxpyPf", "saxpy", "saxpy"},
		{"_ZN3lin5saxpyIfEEviT_PKS1_PS1_", "lin::saxpy<float>", "lin::saxpy"},
		{"_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sgemm_tiled<32>", "sgemm_tiled"},
		// A template inside a template: all arguments leave the family.
		{"_ZN1AIiE1fILi3EEEvv", "A<int>::f<3>", "A::f"},
		{"_ZN12_GLOBAL__N_16hiddenEPf", "(anonymous namespace)::hidden", "(anonymous namespace)::hidden"},
		// A member function that is const keeps no qualifier.
		{"_ZNK1A1fEv", "A::f", "A::f"},
		// The call operator of a lambda in a function.
		{"_ZZ1fvENKUlvE_clEv", "f()::{lambda()#1}::operator()", "f()::{lambda()#1}::operator()"},
		{"_ZN1AcvT_IiEEv", "A::operator int<int>", "A::operator int"},
		// ptxas numbers the copies of a function that it compiles per caller.
		{"_Z3foov$1", "foo", "foo"},
		{"__nv_static_52__39_tmpxft_00000b48_00000000_5_test_cpp1_ii_7b1c1c1f__Z6kernelIiEvT_", "kernel<int>", "kernel"},
		{"__nv_static_27__14_coords_cpp1_ii_7126c51d_const_param", "const_param", "const_param"},
		{"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", "core::fmt::write"},
		{"_ZN4core17hello_big_kernelsE", "core::hello_big_kernels", "core::hello_big_kernels"},
		// Malformed names are shown as they are.
		{"_Z", "_Z", "_Z"},
		{"_ZN3lin5saxpyIfE", "_ZN3lin5saxpyIfE", "_ZN3lin5saxpyIfE"},
		{"_ZN3lin5saxpy", "_ZN3lin5saxpy", "_ZN3lin5saxpy"},
		// A name that is whole before parameters that are not.
		{"_ZN3lin5saxpyIfEEviT_PKS", "lin::saxpy<float>", "lin::saxpy"},
		{"_ZN3lin5saxpyEP", "lin::saxpy", "lin::saxpy"},
		{"_Z99999999999999999999f", "_Z99999999999999999999f", "_Z99999999999999999999f"},
	}
	for _, tt := range tests {
		if got := Qualified(tt.mangled); got != tt.qualified {
			t.Errorf("Qualified(%q) = %q, want %q", tt.mangled, got, tt.qualified)
		}
		if got := Family(tt.mangled); got != tt.family {
			t.Errorf("Family(%q) = %q, want %q", tt.mangled, got, tt.family)
		}
	}
}

// A qualified name is the declaration less return type and parameters, so the
// declaration holds it.
func TestQualifiedIsInDemangled(t *testing.T) {
	for _, n := range realNames(t) {
		qualified := Qualified(n.mangled)
		if !strings.Contains(n.demangled, qualified) {
			t.Fatalf("%q is not in %q", qualified, n.demangled)
		}
		rest := n.demangled[strings.Index(n.demangled, qualified)+len(qualified):]
		if rest != "" && rest[0] != '(' {
			t.Errorf("%q is followed by %q in %q", qualified, rest, n.demangled)
		}
	}
}

// hostileNames stand for exponential, quadratic or endless work in a naive
// demangler or in ours without its bounds.
func hostileNames() map[string]string {
	// Each template names those before it, so the text doubles at each step.
	doubling := "_Z1f1AIiE" + strings.Repeat("1BIS_S0_S1_S2_S3_S4_E", 60)
	return map[string]string{
		"conversions":   "_Z" + strings.Repeat("N1AcvT_I", 40) + "i" + strings.Repeat("EE", 40) + "v",
		"pointers":      "_Z1f" + strings.Repeat("P", maxNameBytes-6) + "i",
		"local names":   "_Z" + strings.Repeat("Z", 1000) + "1fv" + strings.Repeat("E1gv", 1000),
		"templates":     "_Z1f" + strings.Repeat("1AI", 4000) + "i" + strings.Repeat("E", 4000),
		"scopes":        "_ZN" + strings.Repeat("1a", 8000) + "Ev",
		"functions":     "_Z1f" + strings.Repeat("F", 5000) + "v" + strings.Repeat("vE", 5000),
		"negations":     "_Z1fIX" + strings.Repeat("ng", 8000) + "Li1EEEvv",
		"doubling":      doubling,
		"packs":         "_Z1fIJ" + strings.Repeat("J", 2000) + strings.Repeat("E", 2000) + "EEvDpT_",
		"very long":     "_Z1f" + strings.Repeat("i", 64<<20),
		"long id":       "_Z" + "1000000" + strings.Repeat("x", 1000000) + "v",
		"substitutions": "_Z1f" + strings.Repeat("P", 150) + "i" + strings.Repeat("S1_", 5000),
		"rust":          "_RNvC" + strings.Repeat("INtC1a1b", 1000) + strings.Repeat("E", 1000),
		"rust backrefs": "_RIC1a" + strings.Repeat("TB3_B3_E", 1000) + "E",
		"bytes":         "_Z4\xff\x00\x1b]Pf",
	}
}

// The time allowed to each name is far above what the bounds leave (below
// 0.5 s on two busy cores) and far below what the names take without them:
// the conversions alone would need years.
func TestDemangleHostile(t *testing.T) {
	for what, name := range hostileNames() {
		t.Run(what, func(t *testing.T) {
			start := time.Now()
			for _, text := range []string{Demangle(name), Qualified(name), Family(name)} {
				if len(text) > max(len(name), 1<<maxShownLog2) {
					t.Errorf("%d bytes became %d", len(name), len(text))
				}
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestDemangleNamesWithinBounds(t *testing.T) {
	// 16 levels of templates are more than real names have.
	deep := "_Z1f" + strings.Repeat("1AI", 16) + "i" + strings.Repeat("E", 16)
	want := "f(" + strings.Repeat("A<", 16) + "int" + strings.Repeat(">", 16) + ")"
	if got := Demangle(deep); strings.ReplaceAll(got, " ", "") != want {
		t.Errorf("Demangle(%q) = %q, want %q but for blanks", deep, got, want)
	}
	// 2000 parameters: long, and neither deep nor wide.
	long := "_Z1f" + strings.Repeat("i", 2000)
	if got := Demangle(long); got != "f(int"+strings.Repeat(", int", 1999)+")" {
		t.Errorf("a name of 2000 parameters is not demangled")
	}
}

// Reading a name without its parameters, and without a tree where it is
// simple, must say what the whole declaration says.
func TestQualifiedEqualsWholeParse(t *testing.T) {
	for _, mangled := range setNames(t) {
		ast, ok := parse(mangled)
		if !ok || isRust(mangled) || strings.HasPrefix(mangled, "___Z") {
			continue
		}
		if got, want := Qualified(mangled), show(declared(ast), mangled); got != want {
			t.Errorf("Qualified(%q) = %q, want %q", mangled, got, want)
		}
		if simple, ok := simpleName(mangled, true); ok && simple != qualified(mangled) {
			t.Errorf("simpleName(%q) = %q, want %q", mangled, simple, qualified(mangled))
		}
		if got, want := Family(mangled), family(mangled); got != want {
			t.Errorf("Family(%q) = %q, want %q", mangled, got, want)
		}
	}
}
