package source

import "testing"

func TestReadSymbol(t *testing.T) {
	tests := map[string]symbol{
		"scale_c":                          {key: "scale_c", c: true},
		"_Z9slow_pathPd":                   {key: "slow_path"},
		"_ZL15internal_kernelPf":           {key: "internal_kernel"},
		"_Z11sgemm_tiledILi32EEviPKfS1_Pf": {key: "sgemm_tiled", templated: true},
		"_ZN3lin5saxpyIfEEviT_PKS1_PS1_":   {key: "lin::saxpy", templated: true},
		"_ZN1a1b1c4deepEPf":                {key: "a::b::c::deep"},
		"_ZN12_GLOBAL__N_14twinEPf":        {key: "(anonymous namespace)::twin"},
		"_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf":                                           {key: "(anonymous namespace)::hidden", stem: "basics_cu"},
		"_ZN39_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc9atomicAddEPff":                                        {key: "atomicAdd", stem: "bounds_cu"},
		"_ZN43_GLOBAL__N__f42c9ec9_10_variety_cu_166512c09anonymousEPKfPfi":                                 {key: "(anonymous namespace)::anonymous", stem: "variety_cu"},
		"_ZN82_GLOBAL__N__58_tmpxft_00003916_00000000_9_add_weighted_compute_61_cpp1_ii_71482d896kernelEPf": {key: "(anonymous namespace)::kernel", stem: ""},
		"__nv_static_29__16_CUDA_HOG_cpp1_ii_04c76ffe__Z6kernelPf":                                          {key: "kernel", stem: ""},
		"_ZN3lin5applyIZ3usePfPKfiEUlfE_EEvT_S1_i":                                                          {key: "lin::apply", templated: true},
		"__nv_static_38__cb2eddcd_9_bounds_cu_195fdbfc_12345__Z6kernelPf":                                   {key: "kernel", stem: "bounds_cu"},
		"_ZNSt5thingE": {key: "std::thing"},
	}
	for mangled, want := range tests {
		got, ok := readSymbol(mangled)
		if !ok || got.key != want.key || got.c != want.c || got.templated != want.templated {
			t.Errorf("%s: %+v %v, want %+v", mangled, got, ok, want)
		}
		if got.stem != want.stem {
			t.Errorf("%s: file %q, want %q", mangled, got.stem, want.stem)
		}
	}
	for _, bad := range []string{"", "_Z", "_ZN", "_Z99x", "_ZNK1aclEv", "_ZN1aplERKS_", "_ZZ1fvENKUlvE_clEv", "_Z0", "_Z999999999999999999x"} {
		if got, ok := readSymbol(bad); ok && bad != "" {
			t.Errorf("%q is read as %+v", bad, got)
		}
	}
}
