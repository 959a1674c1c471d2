package source

import (
	"strings"
	"testing"
)

// TestSameType: types are compared exactly, as nvcc does; what is not kept of
// a type makes the answer unresolved and not another one.
func TestSameType(t *testing.T) {
	const is = "std::is_same<T, %>::value ? 64 : 128"
	tests := []struct{ name, pre, bounds, args, want string }{
		{"const", "", strings.ReplaceAll(is, "%", "const float"), "Kf", "64"},
		{"not const", "", strings.ReplaceAll(is, "%", "const float"), "f", "128"},
		{"const behind", "", strings.ReplaceAll(is, "%", "float const"), "Kf", "64"},
		{"const of a parameter", "", "std::is_same_v<const T, const float> ? 64 : 128", "f", "64"},
		{"const twice", "", "std::is_same_v<const T, const float> ? 64 : 128", "Kf", "64"},
		{"volatile", "", strings.ReplaceAll(is, "%", "float"), "Vf", "128"},
		{"volatile specialization", // 256 with nvcc 12.4
			"template<class T> struct S { static constexpr int v = 64; };\ntemplate<> struct S<float> { static constexpr int v = 512; };\ntemplate<> struct S<volatile float> { static constexpr int v = 256; };\n",
			"S<T>::v", "Vf", "256"},
		{"const is neither", "template<class T> struct S { static constexpr int v = 64; };\ntemplate<> struct S<float> { static constexpr int v = 512; };\n", "S<T>::v", "Kf", "64"},
		{"const class", "struct C {};\n", strings.ReplaceAll(is, "%", "C"), "K1C", "128"},
		{"long and long long", "", strings.ReplaceAll(is, "%", "long long"), "l", "128"},
		{"long long", "", strings.ReplaceAll(is, "%", "long long"), "x", "64"},
		{"long", "", strings.ReplaceAll(is, "%", "long"), "x", "128"},
		{"char and signed char", "", strings.ReplaceAll(is, "%", "signed char"), "c", "128"},
		{"int8_t", "", strings.ReplaceAll(is, "%", "int8_t"), "a", "64"},
		{"int32_t", "", strings.ReplaceAll(is, "%", "int32_t"), "i", "64"},
		{"int64_t", "", strings.ReplaceAll(is, "%", "int64_t"), "l", "unresolved: whether T, int64_t are the same type is not known"},
		{"int64_t is no int", "", strings.ReplaceAll(is, "%", "int64_t"), "i", "128"},
		{"half", "", strings.ReplaceAll(is, "%", "half"), "6__half", "64"},
		{"pointers", "", strings.ReplaceAll(is, "%", "void*"), "Pi", "unresolved: whether T, void* are the same type is not known"},
		{"a pointer is no number", "", strings.ReplaceAll(is, "%", "float"), "Pf", "128"},
		{"reference", "", strings.ReplaceAll(is, "%", "float&"), "f", "unresolved: whether T, float& are the same type is not known"},
	}
	for _, tt := range tests {
		p := project(t, Options{}, map[string]string{"t.cu": tt.pre + "template<class T> __global__ void __launch_bounds__(" + tt.bounds + ") k(T*) {}\n"})
		if got := summary(p.Find("_Z1kI"+tt.args+"EvPT_", "sm_90")); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
