package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestComments: which comments belong to which kernel, and what they say.
func TestComments(t *testing.T) {
	p := project(t, Options{}, map[string]string{"t.cu": `// occlint: spills=0
// Some words of documentation.
// occlint:ignore register-cliff,stack-frame -- measured: no gain
template <int N>
__global__ void  // occlint: registers<=64, stack=16
a() {  // occlint: barriers<=2
  // A comment inside is nobody's.
}

/* occlint: shared<=100KiB min_occupancy>=25% */
__global__ void b(); // occlint: block=256 dynamic_shared=96KiB
__global__ void b() {} /// occlint: bytes_in_flight=32

// occlint: spill_stores<=4 spill_loads=8
#define K(n) __global__ void k##n() {}
// occlint: registers=32
K(1) K(2)
#if 0
// occlint: nonsense, and it does not count
#endif
`})
	for _, f := range p.Faults() {
		if f.String() != "t.cu:14:1: no kernel stands on this line or begins below it" {
			t.Errorf("fault: %s", f)
		}
	}
	want := map[string]string{
		"a":  "spills 0 t.cu:1:1; registers 64 t.cu:5:18; stack 16 t.cu:5:18; barriers 2 t.cu:6:8; ignore register-cliff t.cu:3:1 (measured: no gain); ignore stack-frame t.cu:3:1 (measured: no gain)",
		"b":  "shared 100KiB t.cu:10:1; min_occupancy 25% t.cu:10:1; block 256 t.cu:11:22; dynamic_shared 96KiB t.cu:11:22|bytes_in_flight 32 t.cu:12:24",
		"k1": "registers 32 t.cu:16:1", "k2": "registers 32 t.cu:16:1",
	}
	got := map[string][]string{}
	for _, k := range p.Kernels() {
		var parts []string
		c := k.Comments()
		if c == nil {
			c = &Comments{}
		}
		for _, b := range c.Budgets {
			parts = append(parts, fmt.Sprintf("%s %s %s:%d:%d", b.Field, b.Value, b.Place.File, b.Place.Line, b.Place.Column))
		}
		for _, i := range c.Ignores {
			parts = append(parts, fmt.Sprintf("ignore %s %s:%d:%d (%s)", i.Rule, i.Place.File, i.Place.Line, i.Place.Column, i.Reason))
		}
		got[k.Name] = append(got[k.Name], strings.Join(parts, "; "))
	}
	for name, w := range want {
		if g := strings.Join(got[name], "|"); g != w {
			t.Errorf("%s:\ngot  %s\nwant %s", name, g, w)
		}
	}
}

func TestCommentFaults(t *testing.T) {
	tests := map[string]string{
		"// occlint:":                                      "nothing follows",
		"// occlint: fast":                                 `"fast" is no budget: want FIELD=NUMBER, with barriers, block,`,
		"// occlint: speed=9":                              `"speed" is no field of a comment: there are barriers, block,`,
		"// occlint: registers>=9":                         `registers takes = or <=, not ">="`,
		"// occlint: min_occupancy<=9%":                    `min_occupancy takes = or >=, not "<="`,
		"// occlint: registers==9":                         `registers takes = or <=, not "=="`,
		"// occlint: registers=":                           "registers has no number",
		"// occlint: registers=9 registers<=8":             "registers is set twice",
		"// occlint:ignore":                                "a reason is missing",
		"// occlint:ignore spill-budget":                   "a reason is missing",
		"// occlint:ignore spill-budget --":                "a reason is missing",
		"// occlint:ignore -- because":                     "a rule is missing",
		"/* occlint: spills=0\n registers=9 */":            "a comment for occlint is one line",
		"// occlint:ignored spill-budget -- slip":          `"ignored" is no budget`,
		"/**\n * occlint: spills=0\n */":                   `"occlint: spills=0" looks like a comment for occlint`,
		"/** occlint: spills=0 */":                         `"occlint: spills=0" looks like a comment for occlint`,
		"/* A kernel.\n   occlint: spills=0 */":            `"occlint: spills=0" looks like a comment for occlint`,
		"// occlint registers<=8":                          `"occlint registers<=8" looks like a comment for occlint`,
		"// Occlint: registers<=8":                         `"Occlint: registers<=8" looks like a comment for occlint`,
		"// occlint : registers <= 8":                      `"occlint : registers <= 8" looks like a comment for occlint`,
		"// OCCLINT: ignore spill-budget -- cold":          `"OCCLINT: ignore spill-budget -- cold" looks like a comment for occlint`,
		"//occlint: spills<0":                              `spills takes = or <=, not "<"`,
		"__global__ void z() {}\n// occlint: spills=0\n\n": "no kernel stands on this line or begins below it",
	}
	for comment, want := range tests {
		p := project(t, Options{}, map[string]string{"t.cu": comment + "\n__global__ void k() {}\n"})
		if !slices.ContainsFunc(p.Faults(), func(f Fault) bool { return strings.HasPrefix(f.Text, want) }) {
			t.Errorf("%q: %v\nwant %s", comment, p.Faults(), want)
		}
	}
	for _, fine := range []string{"// The tool is called occlint: it reads logs.", "// occlint", "// see occlint:ignore", "// Occlint reads this", "// occlint ignores it", "/* occlint\n * is a tool */", `const char *s = "// occlint: nonsense";`} {
		if p := project(t, Options{}, map[string]string{"t.cu": fine + "\n__global__ void k() {}\n"}); len(p.Faults()) > 0 {
			t.Errorf("%q: %v", fine, p.Faults())
		}
	}
}
