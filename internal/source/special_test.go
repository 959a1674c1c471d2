package source

import (
	"strings"
	"testing"
)

// TestSpecialized: the value of a template that has a specialization outside
// of a class is never taken from its primary. What nvcc 12.4 makes of each is
// in the comments.
func TestSpecialized(t *testing.T) {
	const f, i = "_Z1kIfEvPT_", "_Z1kIiEvPT_"
	tests := []struct{ name, src, bounds, mangled, want string }{
		{"variable template", // 256, 8
			"template<class T> constexpr int n = 1;\ntemplate<> constexpr int n<float> = 8;", "256, n<T>", f, "n is specialized at t.cu:2"},
		{"variable template in braces",
			"template<class T> constexpr int n = 1;\ntemplate<> constexpr int n<float>{8};", "256, n<T>", f, "n is specialized at t.cu:2"},
		{"variable template, partial", // 128 for pointers
			"template<class T> constexpr int n = 64;\ntemplate<class T> constexpr int n<T*> = 128;", "n<T*>", f, "n is specialized at t.cu:2"},
		{"variable template by number",
			"template<int I> constexpr int n = 32 * I;\ntemplate<> constexpr int n<2> = 256;", "n<sizeof(T) / 2>", f, "n is specialized at t.cu:2"},
		{"member variable template",
			"struct M { template<class T> static constexpr int n = 64; };\ntemplate<> constexpr int M::n<float> = 128;", "M::n<T>", f, "n is specialized at t.cu:2"},
		{"function template", // 256
			"template<class T> constexpr int n() { return 64; }\ntemplate<> constexpr int n<float>() { return 256; }", "n<T>()", f, "n is specialized at t.cu:2"},
		{"member of a class template", // 256
			"template<class T> struct S { static constexpr int n = 64; };\ntemplate<> constexpr int S<float>::n = 256;", "S<T>::n", f, "n is specialized at t.cu:2"},
		{"the same, named without a parameter",
			"template<class T> struct S { static constexpr int n = 64; };\ntemplate<> constexpr int S<float>::n = 256;", "S<float>::n", f, "n is specialized at t.cu:2"},
		{"member function of a class template", // 192
			"template<class T> struct S { static constexpr int n() { return 64; } };\ntemplate<> constexpr int S<float>::n() { return 192; }", "S<T>::n()", f, "n is specialized at t.cu:2"},
		{"member class of a class template",
			"template<class T> struct S { struct I { static constexpr int n = 64; }; };\ntemplate<> struct S<float>::I { static constexpr int n = 96; };", "S<T>::I::n", f, "I is specialized at t.cu:2"},
		{"by way of another constant",
			"template<class T> constexpr int n = 1;\ntemplate<> constexpr int n<float> = 8;\ntemplate<class T> constexpr int m = n<T>;", "256, m<T>", f, "n is specialized at t.cu:2"},
		{"another template's member", "template<class T> constexpr int n = 1;\ntemplate<> constexpr int n<float> = 8;\nstruct P { static constexpr int n = 4; };", "256, P::n", f, ""},
		{"a class is specialized as before", "template<class T> struct S { static constexpr int n = 64; };\ntemplate<> struct S<float> { static constexpr int n = 96; };", "S<T>::n", i, ""},
	}
	resolved := map[string]string{"another template's member": "256,4", "a class is specialized as before": "64"}
	for _, tt := range tests {
		p := project(t, Options{}, map[string]string{"t.cu": tt.src + "\ntemplate<class T> __global__ void __launch_bounds__(" + tt.bounds + ") k(T*) {}\n"})
		got := summary(p.Find(tt.mangled, "sm_90"))
		if want, ok := resolved[tt.name]; ok && got != want || !ok && !strings.HasPrefix(got, "unresolved: "+tt.want) {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

// TestConversions: what a constexpr function takes and returns has the type
// that it is declared with. The numbers are nvcc's, or by the rules of C++:
// 96+256 is 96 in an unsigned char, and any number but 0 is 1 in a bool.
func TestConversions(t *testing.T) {
	tests := []struct{ src, bounds, want string }{
		{"constexpr int h(unsigned char x) { return x; }", "h(96 + 256)", "unresolved: the value does not fit"}, // 96
		{"constexpr int h(unsigned char x) { return x; }", "h(96)", "96"},
		{"constexpr int h(bool x) { return 32 + x; }", "h(7)", "33"},
		{"constexpr int h(const bool& x) { return 32 + x; }", "h(7)", "33"},
		{"constexpr bool h(int x) { return x; }", "32 + h(7)", "33"},
		{"constexpr auto h(int x) -> bool { return x; }", "32 + h(7)", "33"},
		{"constexpr int h(float x) { return x / 2 * 32; }", "h(5)", "unresolved: the type float is not known to be an integer"}, // 80
		{"template<class T> constexpr T h(T x) { return x; }", "h<bool>(7) * 64", "64"},
		{"constexpr int h(int, int x = 2) { return x; }", "h(1, 64)", "64"},
		{"using B = bool; constexpr int h(B x) { return 32 + x; }", "h(7)", "33"},
	}
	for _, tt := range tests {
		p := project(t, Options{}, map[string]string{"t.cu": tt.src + "\n__global__ void __launch_bounds__(" + tt.bounds + ") k() {}\n"})
		if got := summary(p.Find("_Z1kv", "sm_90")); got != tt.want && !strings.HasPrefix(got, tt.want+" ") {
			t.Errorf("%s %s: %s, want %s", tt.src, tt.bounds, got, tt.want)
		}
	}
}
