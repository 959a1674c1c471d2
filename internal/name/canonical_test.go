package name

import (
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	tests := []struct{ name, mangled, want string }{
		{"no id", "_ZN3lin5saxpyIfEEviT_PKS1_PS1_", "_ZN3lin5saxpyIfEEviT_PKS1_PS1_"},
		{"empty", "", ""},
		{"gcc's and clang's unnamed namespace is stable", "_ZN12_GLOBAL__N_16hiddenEPf", "_ZN12_GLOBAL__N_16hiddenEPf"},
		// 12 + len("9_basics_cu") = 23
		{"tail is a name", "_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf", "_ZN23_GLOBAL__N__9_basics_cu6hiddenEPf"},
		{"tail is a hash", "_ZN38_GLOBAL__N__b9037eda_6_big_cu_195fdbfc6hiddenEPf", "_ZN20_GLOBAL__N__6_big_cu6hiddenEPf"},
		{"static device function", "_ZN39_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc9atomicAddEPff", "_ZN21_INTERNAL_9_bounds_cu9atomicAddEPff"},
		{
			"inside template arguments, twice",
			"_Z1fIN40_GLOBAL__N__1251166d_9_basics_cu_scale_c1AENS0_1BEN39_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc1CEEvv",
			"_Z1fIN23_GLOBAL__N__9_basics_cu1AENS0_1BEN21_INTERNAL_9_bounds_cu1CEEvv",
		},
		{
			"after an identifier that ends in digits",
			"_ZN4ns1240_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf",
			"_ZN4ns1223_GLOBAL__N__9_basics_cu6hiddenEPf",
		},
		{
			// 143 = 12 + 8 + 1 + 3 + 1 + 109 + 1 + 8; read as "43" the id would end inside the name.
			"length of three digits",
			"_ZN143_GLOBAL__N__1251166d_109_" + strings.Repeat("a", 106) + "_cu_195fdbfc6hiddenEv",
			"_ZN125_GLOBAL__N__109_" + strings.Repeat("a", 106) + "_cu6hiddenEv",
		},
		{
			"in a namespace", "_ZN2at6native40_GLOBAL__N__73da4bea_8_Shape_cu_49f7391c19CatArrayBatchedCopyIfjLi3EEEvPT_",
			"_ZN2at6native22_GLOBAL__N__8_Shape_cu19CatArrayBatchedCopyIfjLi3EEEvPT_",
		},
		{
			// 82 = 12 + 58 + 3 + 9, 58 = the intermediate file's name
			"process ids", "_ZN82_GLOBAL__N__58_tmpxft_00003916_00000000_9_add_weighted_compute_61_cpp1_ii_71482d896AddOpIfEEvv",
			"_ZN27_GLOBAL__N__12_add_weighted6AddOpIfEEvv",
		},
		{
			"kept intermediate files", "_ZN50_INTERNAL_28_cuda_equi_compute_30_cpp1_ii_1f510c1d11__shfl_syncEjiii",
			"_ZN21_INTERNAL_9_cuda_equi11__shfl_syncEjiii",
		},
		{
			// 27 = len("_14_coords_cpp1_ii_7126c51d"), 9 = len("_6_coords")
			"static variable", "__nv_static_27__14_coords_cpp1_ii_7126c51d_const_param", "__nv_static_9__6_coords_const_param",
		},
		{
			"static kernel", "__nv_static_29__16_CUDA_HOG_cpp1_ii_04c76ffe__ZSt8__ioinit",
			"__nv_static_11__8_CUDA_HOG__ZSt8__ioinit",
		},
		{
			"static kernel of process ids", "__nv_static_52__39_tmpxft_00000b48_00000000_5_test_cpp1_ii_7b1c1c1f__Z6kernelv",
			"__nv_static_7__4_test__Z6kernelv",
		},
		{"clang's static kernel", "_ZL6kernelPf__static__0123456789abcdef", "_ZL6kernelPf__static__"},
		{"clang's older form", "_ZL6kernelPf.static.0123456789abcdef", "_ZL6kernelPf.static."},
		{"demangled", "_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc::atomicAdd", "_INTERNAL_9_bounds_cu::atomicAdd"},
		{"a mark alone", "_GLOBAL__N__", "_GLOBAL__N__"},
		{"a user's own name", "_Z15my_INTERNAL_fooPf", "_Z15my_INTERNAL_fooPf"},
		{"file longer than the identifier", "_ZN40_GLOBAL__N__1251166d_99_basics_cu_scale_c6hiddenEPf", "_ZN40_GLOBAL__N__1251166d_99_basics_cu_scale_c6hiddenEPf"},
		{"length beyond the end", "_ZN99_GLOBAL__N__1251166d_9_basics_cu_scale_c", "_ZN99_GLOBAL__N__1251166d_9_basics_cu_scale_c"},
		{"cut inside the id", "_ZN40_GLOBAL__N__1251166d_9_bas", "_ZN40_GLOBAL__N__1251166d_9_bas"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Canonical(tt.mangled)
			if got != tt.want {
				t.Errorf("Canonical(%q)\n got %q\nwant %q", tt.mangled, got, tt.want)
			}
			if again := Canonical(got); again != got {
				t.Errorf("Canonical(%q) = %q: not stable", got, again)
			}
		})
	}
}

// The same source built three times, by 11.8, 12.4 and 13.0: three hashes.
func TestCanonicalJoinsBuilds(t *testing.T) {
	builds := []string{
		"_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf",
		"_ZN40_GLOBAL__N__cef70a57_9_basics_cu_scale_c6hiddenEPf",
		"_ZN40_GLOBAL__N__26e07f7b_9_basics_cu_scale_c6hiddenEPf",
	}
	for _, b := range builds[1:] {
		if Canonical(b) != Canonical(builds[0]) {
			t.Errorf("Canonical differs: %q, %q", Canonical(b), Canonical(builds[0]))
		}
	}
}

// A canonical name is still a mangled name of the same declaration.
func TestCanonicalDemanglesAlike(t *testing.T) {
	for _, n := range realNames(t) {
		c := Canonical(n.mangled)
		if c == n.mangled {
			continue
		}
		if got, want := Demangle(c), Canonical(n.demangled); got != want {
			t.Errorf("Demangle(%q) = %q, want %q", c, got, want)
		}
	}
}
