package source

import (
	"strings"
	"testing"
	"unicode/utf16"
)

func TestIncludes(t *testing.T) {
	files := map[string]string{
		"src/a/a.cu": `#include "a.h"
#include "common/deep.h"
#include <lib/angle.h>
#include <vector>
#include "once.h"
#include "once.h"
#include "../gone.h"
#define WIDE 1
#include "variant.h"
#undef WIDE
__global__ void __launch_bounds__(A, DEEP) a() {}
__global__ void __launch_bounds__(ANGLE, ONCE) b() {}
__global__ void __launch_bounds__(GONE) c() {}
`,
		"src/a/a.h":               "#pragma once\n#include \"next.h\"\nconstexpr int A = NEXT * 2;\n",
		"src/a/next.h":            "#ifndef NEXT_H\n#define NEXT_H\n#include \"a.h\"\n#define NEXT 64\n#endif  // NEXT_H\n",
		"include/common/deep.h":   "enum { DEEP = 3 };",
		"third_party/lib/angle.h": "#if !defined(ANGLE_H)\n#define ANGLE_H\nnamespace { const int ANGLE = 160; }\n#endif\n",
		"src/a/once.h":            "#pragma once\nconstexpr int ONCE = 2;\n",
		"src/a/variant.h":         "#ifdef WIDE\n__global__ void __launch_bounds__(512) v() {}\n#else\n__global__ void __launch_bounds__(128) v() {}\n#endif\n",
		"src/b.cu":                "#include \"a/variant.h\"\n__global__ void a();\n",
		"src/alone.cuh":           "__global__ void __launch_bounds__(32) alone() {}",
		"src/windows.cu":          "__global__ void \\\r\n__launch_bounds__(96) // x\r\nwindows()\r\n{}\r\n",
	}
	wide := "\ufeff__global__ void __launch_bounds__(224) utf16() {}"
	var text []byte
	for _, u := range utf16.Encode([]rune(wide)) {
		text = append(text, byte(u), byte(u>>8))
	}
	files["src/utf16.cu"] = string(text)
	p := project(t, Options{}, files)
	for mangled, want := range map[string]string{
		"_Z1av": "128,3", "_Z1bv": "160,2",
		"_Z1cv":     `unresolved: GONE is not defined in the scanned files: --define GONE=… would settle it`,
		"_Z1vv":     `unresolved: it depends on "defined(WIDE)" at src/a/variant.h:1, which is not known: 512 or 128`,
		"_Z5alonev": "32", "_Z7windowsv": "96", "_Z5utf16v": "224",
	} {
		if got := summary(p.Find(mangled, "sm_90")); got != want {
			t.Errorf("%s: %s\nwant %s", mangled, got, want)
		}
	}
	if a := p.Find("_Z7windowsv", "sm_90"); a.Bounds.Line != 2 || a.Bounds.Column != 1 {
		t.Errorf("%+v", a.Bounds)
	}
	// Two files with a static kernel of one name that declares the same: the
	// bounds are known, and the place is that of the first.
	p = project(t, Options{}, map[string]string{
		"a.cu": "static __global__ void __launch_bounds__(64) s() {}\n", "b.cu": "\nstatic __global__ void __launch_bounds__(64) s() {}\n",
	})
	if a := p.Find("_Z1sv", "sm_90"); summary(a) != "64" || a.Place.File != "a.cu" || a.Bounds.File != "a.cu" || a.BoundsText == "" {
		t.Errorf("%+v", a)
	}
	if a := p.Find("__nv_static_26__a61cf3e0_4_b_cu_27e17c46__Z1sv", "sm_90"); summary(a) != "64" || a.Place.File != "b.cu" || a.Place.Line != 2 {
		t.Errorf("%+v", a)
	}
	seen := map[string]int{}
	for _, k := range p.Kernels() {
		seen[k.Name+" "+k.Place().File]++
	}
	for k, n := range seen {
		if n > 1 && !strings.HasPrefix(k, "v ") {
			t.Errorf("%s is listed %d times", k, n)
		}
	}
}
