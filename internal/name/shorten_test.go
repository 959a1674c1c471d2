package name

import (
	"slices"
	"testing"
)

func TestShorten(t *testing.T) {
	tests := []struct {
		name     string
		in, want []string
	}{
		{"none", nil, []string{}},
		{"one", []string{"_ZN3lin5saxpyIfEEviT_PKS1_PS1_"}, []string{"saxpy"}},
		{"plain", []string{"saxpy", "_Z5scalePf"}, []string{"saxpy", "scale"}},
		{"same name twice", []string{"_Z1fv", "_Z1fv"}, []string{"f", "f"}},
		{
			"arguments", []string{"_ZN3lin5saxpyIfEEvv", "_ZN3lin5saxpyIdEEvv", "_Z5otherv"},
			[]string{"saxpy<float>", "saxpy<double>", "other"},
		},
		{
			"long arguments that all share",
			[]string{
				"_Z4gemmIN7cutlass6layout11ColumnMajorELi128EN7cutlass6layout8RowMajorEEvv",
				"_Z4gemmIN7cutlass6layout11ColumnMajorELi256EN7cutlass6layout8RowMajorEEvv",
			},
			[]string{"gemm<…, 128, …>", "gemm<…, 256, …>"},
		},
		{"namespaces", []string{"_ZN1a1fEv", "_ZN1b1fEv"}, []string{"a::f", "b::f"}},
		{"overloads", []string{"_Z1fi", "_Z1ff"}, []string{"f(int)", "f(float)"}},
		{
			// Both demangle to (anonymous namespace)::hidden(float*).
			"two files",
			[]string{"_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf", "_ZN38_GLOBAL__N__b9037eda_6_big_cu_195fdbfc6hiddenEPf"},
			[]string{"(anonymous namespace)::hidden [basics_cu]", "(anonymous namespace)::hidden [big_cu]"},
		},
		{
			"two wrapped names", []string{"__nv_static_27__14_coords_cpp1_ii_7126c51d_init", "__nv_static_25__12_main_cpp1_ii_7126c51d_init"},
			[]string{"init [coords]", "init [main]"},
		},
		{
			// Two files of one base name: only the hash tells them apart.
			"two directories",
			[]string{"_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf", "_ZN40_GLOBAL__N__cef70a57_9_basics_cu_scale_c6hiddenEPf"},
			[]string{"_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf", "_ZN40_GLOBAL__N__cef70a57_9_basics_cu_scale_c6hiddenEPf"},
		},
		{
			// A C kernel takes the short name that a template has as well.
			"a C name against a short one", []string{"saxpy", "_ZN3lin5saxpyIfEEvv"}, []string{"saxpy", "saxpy<float>"},
		},
		{"malformed", []string{"_Z", "_ZN"}, []string{"_Z", "_ZN"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Shorten(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("Shorten(%q)\n got %q\nwant %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestShortenStaysDistinct(t *testing.T) {
	var names []string
	for _, n := range realNames(t) {
		names = append(names, n.mangled)
	}
	distinct(t, names, Shorten(names))
}

func distinct(t *testing.T, names, short []string) {
	t.Helper()
	owner := make(map[string]string)
	for i, s := range short {
		if other, ok := owner[s]; ok && other != names[i] {
			t.Errorf("%q and %q are both shown as %q", other, names[i], s)
		}
		owner[s] = names[i]
	}
}
