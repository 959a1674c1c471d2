package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// TestParents checks for which kernel each function was compiled, against
// what the sources call and how they were compiled.
func TestParents(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		// Whole-program: k2 calls mid and before, k1 calls before.
		{"linked/whole-functions-r-12.4.log", "_Z3midPKfi of _Z2k2Pfi, _Z6beforePKfi of _Z2k2Pfi, _Z6beforePKfi of _Z2k1Pfi"},
		// -rdc: each function is compiled once, for nobody.
		{"linked/rdc-functions-r-12.4.log", "_Z6beforePKfi of , _Z3midPKfi$1 of , _Z5afterPKfi of , _Z3midPKfi of "},
		{"linked/rdc-functions-c-12.4.log", "_Z1gPKfi$1 of , _Z1gPKfi of "},
		{"linked/debug-functions-r-12.4.log", "_Z6beforePKfi of , _Z3midPKfi of , _Z5afterPKfi of "},
		{"nvcc13.0/rdc-b.log", "_Z6helperf of , _Z5otherf of "},
		{"nvcc13.0/dlto-link.log", "_Z6helperf of _Z12calls_helperPf"},
		{"nvcc13.0/debug-G.log", "fmaf of , __fAtomicAdd of , _ZN39_INTERNAL_cb2eddcd_9_bounds_cu_195fdbfc9atomicAddEPff of "},
		{"linked/rdc-multiarch-ok-b-11.8.log", strings.Repeat("_Z3recPfi of , _Z5heavyPKfPfi of , ", 3) + "_Z3recPfi of , _Z5heavyPKfPfi of "},
		{"linked/cloned-callee-11.8.log", "_Z3recPfi of calls_rec, _Z5heavyPKfPfi of calls_lb64, _Z5heavyPKfPfi of calls_lb32, _Z5heavyPKfPfi of calls_free"},
		{"linked/dlto-nvlink-12.4.log", "_Z3recPfi of calls_rec, _Z5heavyPKfPfi of calls_free"},
		{"nvcc12.4/basics-sm_90.log", "__internal_accurate_pow of _Z9slow_pathPd, __internal_trig_reduction_slowpathd of _Z9slow_pathPd, _Z3fibi of _Z9recursivePii"},
		{"parallel-nvcc12.4/units/u07.log", "_Z7slow_07PKfi of _Z10f07_calleePKfPfi"},
	} {
		var got []string
		l := readLog(t, test.file)
		for _, kernel := range l.Kernels() {
			if k := &kernel; k.Kind == parse.Function {
				got = append(got, fmt.Sprintf("%s of %s", k.Name, k.Parent))
			}
		}
		if d := cmp.Diff(test.want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s: (-want +got)\n%s", test.file, d)
		}
	}
}
