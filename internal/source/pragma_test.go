package source

import (
	"strings"
	"testing"
)

// TestMacrosPushed: what push_macro keeps comes back with pop_macro.
func TestMacrosPushed(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"pragma", "#define N 64\n#pragma push_macro(\"N\")\n#undef N\n#define N 128\n#pragma pop_macro(\"N\")\n", "64"},
		{"not popped", "#define N 64\n#pragma push_macro(\"N\")\n#undef N\n#define N 128\n", "128"},
		{"operator", "#define N 64\n_Pragma(\"push_macro(\\\"N\\\")\")\n#undef N\n#define N 128\n_Pragma(\"pop_macro(\\\"N\\\")\")\n", "64"},
		{"operator in a macro", "#define PUSH _Pragma(\"push_macro(\\\"N\\\")\")\n#define POP _Pragma(\"pop_macro(\\\"N\\\")\")\n#define N 64\nPUSH\n#undef N\n#define N 128\nPOP\n", "64"},
		{"twice", "#define N 32\n#pragma push_macro(\"N\")\n#define N 64\n#pragma push_macro(\"N\")\n#define N 96\n#pragma pop_macro(\"N\")\n#pragma pop_macro(\"N\")\n", "32"},
		{"popped under a condition", "#define N 64\n#pragma push_macro(\"N\")\n#define N 128\n#ifdef X\n#pragma pop_macro(\"N\")\n#endif\n", "unresolved: "},
	}
	for _, tt := range tests {
		p := project(t, Options{}, map[string]string{"t.cu": tt.src + "__global__ void __launch_bounds__(N) k() {}\n"})
		if got := summary(p.Find("_Z1kv", "sm_90")); got != tt.want && (!strings.HasPrefix(tt.want, "unresolved") || !strings.HasPrefix(got, tt.want)) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestNamesFound: a name means what C++ finds by it, or nothing.
func TestNamesFound(t *testing.T) {
	tests := []struct {
		name   string
		files  map[string]string
		kernel string
		want   string
	}{
		{"a dependent base is not looked into", // 64 with nvcc
			map[string]string{"t.cu": "constexpr int W = 64;\ntemplate<class T> struct B { static constexpr int W = 128; };\ntemplate<class T> struct D : B<T> { static constexpr int v = W; };\ntemplate<class T> __global__ void __launch_bounds__(D<T>::v) k(T*) {}\n"},
			"_Z1kIfEvPT_", "unresolved: W is in a base of D that depends on its template parameters, where C++ does not look for it"},
		{"another base is", map[string]string{"t.cu": "struct B { static constexpr int W = 128; };\ntemplate<class T> struct D : B { static constexpr int v = W; };\ntemplate<class T> __global__ void __launch_bounds__(D<T>::v) k(T*) {}\n"},
			"_Z1kIfEvPT_", "128"},
		{"qualified, a dependent base is looked into", map[string]string{"t.cu": "template<class T> struct B { static constexpr int W = 128; };\ntemplate<class T> struct D : B<T> {};\ntemplate<class T> __global__ void __launch_bounds__(D<T>::W) k(T*) {}\n"},
			"_Z1kIfEvPT_", "128"},
		{"a constant that comes later", map[string]string{"t.cu": "constexpr int N = 64;\nnamespace a {\n__global__ void __launch_bounds__(N) k() {}\nconstexpr int N = 128;\n}\n"},
			"_ZN1a1kEv", "64"},
		{"of a constant's own", map[string]string{"t.cu": "constexpr int N = 64;\nnamespace a {\nconstexpr int M = N;\nconstexpr int N = 128;\n__global__ void __launch_bounds__(M) k() {}\n}\n"},
			"_ZN1a1kEv", "64"},
		{"of a function's own", map[string]string{"t.cu": "constexpr int N = 64;\nnamespace a {\nconstexpr int f() { return N; }\nconstexpr int N = 128;\n__global__ void __launch_bounds__(f()) k() {}\n}\n"},
			"_ZN1a1kEv", "64"},
		{"a constant that comes before", map[string]string{"t.cu": "constexpr int N = 64;\nnamespace a {\nconstexpr int N = 128;\n__global__ void __launch_bounds__(N) k() {}\n}\n"},
			"_ZN1a1kEv", "128"},
		{"an alias that comes later", map[string]string{"t.cu": "struct A { static constexpr int v = 64; };\nstruct B { static constexpr int v = 128; };\nusing P = A;\nnamespace a {\n__global__ void __launch_bounds__(P::v) k() {}\nusing P = B;\n}\n"},
			"_ZN1a1kEv", "64"},
		{"a function that comes later", map[string]string{"t.cu": "constexpr int f() { return 64; }\nnamespace a {\n__global__ void __launch_bounds__(f()) k() {}\nconstexpr int f() { return 128; }\n}\n"},
			"_ZN1a1kEv", "unresolved: f is defined at t.cu:4, after it is used"},
		{"a using-directive that comes later", map[string]string{"t.cu": "namespace b { constexpr int N = 128; }\nconstexpr int N = 64;\nnamespace a {\n__global__ void __launch_bounds__(N) k() {}\nusing namespace b;\n}\n"},
			"_ZN1a1kEv", "64"},
		{"a class's own constant that comes later", // the outer one counts, as with nvcc 12.4
			map[string]string{"t.cu": "constexpr int K = 7;\nstruct S { enum { V = K }; enum { K = 64 }; };\n__global__ void __launch_bounds__(S::V) k() {}\n"},
			"_Z1kv", "7"},
		{"a class's own constant that comes later, in a function",
			map[string]string{"t.cu": "constexpr int K = 7;\nstruct S { static constexpr int f() { return K; } static constexpr int K = 64; };\n__global__ void __launch_bounds__(S::f()) k() {}\n"},
			"_Z1kv", "64"},
		{"a line number", map[string]string{"t.cu": "\n__global__ void __launch_bounds__(__LINE__) k() {}\n"}, "_Z1kv", "2"},
		{"a line number behind #line", map[string]string{"t.cu": "#line 32\n__global__ void __launch_bounds__(__LINE__) k() {}\n"}, "_Z1kv", "unresolved: __LINE__ is not defined in the scanned files"},
		{"a class that is defined later", map[string]string{"t.cu": "template<class T> struct S;\ntemplate<class T> __global__ void __launch_bounds__(S<T>::v) k(T*) {}\ntemplate<class T> struct S { static constexpr int v = 96; };\n"},
			"_Z1kIfEvPT_", "96"},
		{"a header elsewhere", map[string]string{"src/t.cu": "#include \"config.h\"\n__global__ void __launch_bounds__(N) k() {}\n", "x/config.h": "#define N 64\n"},
			"_Z1kv", `unresolved: N is not defined in the scanned files ("config.h", included at src/t.cu:1, is not among them)`},
		{"a header named with its directory", map[string]string{"src/t.cu": "#include \"x/config.h\"\n__global__ void __launch_bounds__(N) k() {}\n", "third/x/config.h": "#define N 64\n"},
			"_Z1kv", "64"},
	}
	for _, tt := range tests {
		if got := summary(project(t, Options{}, tt.files).Find(tt.kernel, "sm_90")); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
