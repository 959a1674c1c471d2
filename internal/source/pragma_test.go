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
		{"a constant that comes later", map[string]string{"t.cu": "constexpr int N = 64;\nnamespace a {\n__global__ void __launch_bounds__(N) k() {}\nconstexpr int N = 128;\n}\n"},
			"_ZN1a1kEv", "64"},
		{"of a constant's own", map[string]string{"t.cu": "constexpr int N = 64;\nnamespace a {\nconstexpr int M = N;\nconstexpr int N = 128;\n__global__ void __launch_bounds__(M) k() {}\n}\n"},
			"_ZN1a1kEv", "64"},
		{"a constant that comes before", map[string]string{"t.cu": "constexpr int N = 64;\nnamespace a {\nconstexpr int N = 128;\n__global__ void __launch_bounds__(N) k() {}\n}\n"},
			"_ZN1a1kEv", "128"},
		{"an alias that comes later", map[string]string{"t.cu": "struct A { static constexpr int v = 64; };\nstruct B { static constexpr int v = 128; };\nusing P = A;\nnamespace a {\n__global__ void __launch_bounds__(P::v) k() {}\nusing P = B;\n}\n"},
			"_ZN1a1kEv", "64"},
		{"a using-directive that comes later", map[string]string{"t.cu": "namespace b { constexpr int N = 128; }\nconstexpr int N = 64;\nnamespace a {\n__global__ void __launch_bounds__(N) k() {}\nusing namespace b;\n}\n"},
			"_ZN1a1kEv", "64"},
		{"a class's own constant that comes later", // the outer one counts, as with nvcc 12.4
			map[string]string{"t.cu": "constexpr int K = 7;\nstruct S { enum { V = K }; enum { K = 64 }; };\n__global__ void __launch_bounds__(S::V) k() {}\n"},
			"_Z1kv", "7"},
		{"a line number", map[string]string{"t.cu": "\n__global__ void __launch_bounds__(__LINE__) k() {}\n"}, "_Z1kv", "2"},
		{"a line number behind #line", map[string]string{"t.cu": "#line 32\n__global__ void __launch_bounds__(__LINE__) k() {}\n"}, "_Z1kv", "unresolved: __LINE__ is not defined in the scanned files"},
		{"a header elsewhere", map[string]string{"src/t.cu": "#include \"config.h\"\n__global__ void __launch_bounds__(kSize) k() {}\n", "x/config.h": "#define kSize 64\n"},
			"_Z1kv", `unresolved: kSize is not defined in the scanned files ("config.h", included at src/t.cu:1, is not among them)`},
		{"a header named with its directory", map[string]string{"src/t.cu": "#include \"x/config.h\"\n__global__ void __launch_bounds__(N) k() {}\n", "third/x/config.h": "#define N 64\n"},
			"_Z1kv", "64"},
	}
	for _, tt := range tests {
		if got := summary(project(t, Options{}, tt.files).Find(tt.kernel, "sm_90")); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
