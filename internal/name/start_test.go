package name

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestPatternStart(t *testing.T) {
	tests := []struct {
		pattern string
		start   start
		ok      bool
	}{
		{"saxpy", start{"saxpy", true}, true},
		{"saxpy*", start{"saxpy", false}, true},
		{"saxpy?", start{"saxpy", false}, true},
		{"lin::saxpy<*>", start{"lin", true}, true},
		{"lin_*::saxpy<*>", start{"lin_", false}, true},
		{"unsigned int*", start{"unsigned", true}, true},
		{"(anonymous namespace)::*", start{"", true}, true},
		{"<unnamed>::hidden", start{"", true}, true},
		{"_INTERNAL_9_bounds_cu::atomicAdd", start{"_INTERNAL_9_bounds_cu", true}, true},
		{"*saxpy", start{}, false},
		{"?axpy", start{}, false},
		{"_*", start{}, false}, // matches mangled names as they are
		{"_?5saxpyPf", start{}, false},
		{"_Z5saxpy*", start{}, false},
		{"_Z5saxpyPf", start{}, false},
		{"_", start{"_", true}, true},
		{"re:lin::saxpy<float>", start{"lin", true}, true},
		{"re:lin::saxpy<(float|double)>", start{"lin", true}, true},
		{"re:free_[0-9]+", start{"free_", false}, true},
		{"re:saxpy", start{"saxpy", true}, true},
		{"re:(saxpy|scale)", start{"s", false}, true},
		{"re:saxpy|gemm", start{}, false},
		{"re:(?i)saxpy", start{}, false},
		{"re:.*saxpy", start{}, false},
		{"re:_Z5saxpy.*", start{}, false},
		{"re:_+x", start{}, false},
	}
	for _, tt := range tests {
		p := compileAll(t, []string{tt.pattern})[0]
		if p.hasStart != tt.ok || tt.ok && p.start != tt.start {
			t.Errorf("start of %q is %v, %v, want %v, %v", tt.pattern, p.start, p.hasStart, tt.start, tt.ok)
		}
	}
}

func TestFirstIdentifier(t *testing.T) {
	tests := []struct{ mangled, id string }{
		{"_Z5saxpyPf", "saxpy"},
		{"_ZN3lin5saxpyIfEEviT_", "lin"},
		{"_ZNK3lin5saxpyEv", "lin"},
		{"_ZZ5saxpyvE1x", "saxpy"},
		{"_ZL6kernelPf", "kernel"},
		{"_Z1kv", "k"},
		{"_Z1k", "k"},
		{"_ZN11lin_00000125saxpyIfEEviT_", "lin_0000012"},
		{"_Z13a__b_Ge_Inner", "a__b_Ge_Inner"}, // looks like marks at first
		{"_Z6kernelffffffff", "kernel"},        // no id of clang
		{"saxpy", ""},
		{"_Z", ""},
		{"_Z5", ""},
		{"_Z0k", ""},
		{"_Z6saxpy", ""},
		{"_Z4_abcv", ""},
		{"_Z3a$bv", ""},
		{"_Z3a bv", ""},
		{"_ZTV3lin", ""},
		{"_ZN12_GLOBAL__N_16hiddenEPf", anonymous},
		{"_ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf", anonymous},
		{"_ZN11_GLOBAL__N_6hiddenEPf", anonymous},
		{"_ZN10_GLOBAL__N_6hiddenEPf", ""},
		{"_ZN3lin12_GLOBAL__N_16hiddenEPf", "lin"},
		{"_ZN4lin112_GLOBAL__N_16hiddenEPf", ""}, // the digits might be the length
		{"_Z22a_INTERNAL_9_bounds_cuv", ""},
		{"_Z6kernelPf__static__0123456789abcdef", ""},
		{"_Z99999999999999999999saxpy", ""},
	}
	for _, tt := range tests {
		if id, ok := firstIdentifier(tt.mangled); id != tt.id || ok != (tt.id != "") {
			t.Errorf("firstIdentifier(%q) = %q, %v, want %q", tt.mangled, id, ok, tt.id)
		}
	}
}

// A mark, and a byte that no identifier has, at each place of one.
func TestFirstIdentifierLooksAtAll(t *testing.T) {
	for before := range 30 {
		for after := range 12 {
			for _, odd := range []string{markAnonymous, markInternal, markStatic, "$", " ", "<", "\xc3"} {
				id := strings.Repeat("a", before) + odd + strings.Repeat("a", after)
				for _, rest := range []string{"", "v", "PKfPfiiiiiiiiii"} {
					mangled := "_Z" + strconv.Itoa(len(id)) + id + rest
					want := ""
					if before == 0 && odd == markAnonymous {
						want = anonymous
					}
					if got, _ := firstIdentifier(mangled); got != want {
						t.Fatalf("firstIdentifier(%q) = %q, want %q", mangled, got, want)
					}
				}
			}
		}
	}
}

// The table must say what asking each start says.
func TestStartTable(t *testing.T) {
	patterns := compileAll(t, []string{
		"k", "k*", "k::*", "ka", "ka*", "kb", "saxpy", "saxpy*", "saxpy::a", "sax*", "sb*", "(*", "z*", "zz*", "0*", "re:k.",
	})
	var table startTable
	for i, p := range patterns {
		if !p.hasStart {
			t.Fatalf("%q has no start", p)
		}
		table.add(p, i)
	}
	for _, id := range []string{"k", "ka", "kab", "kb", "kc", "saxpy", "saxpyz", "sax", "sa", "s", "sbx", "z", "zz", "zy", "0", "b", anonymous} {
		var want []int
		for i, p := range patterns {
			if p.start.fits(id) {
				want = append(want, i)
			}
		}
		got, _, _ := table.find(id, []int{-7})
		slices.Sort(got)
		if !slices.Equal(got[1:], want) {
			t.Errorf("%q: %v, want %v", id, got[1:], want)
		}
	}
}
