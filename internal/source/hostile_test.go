package source

import (
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// TestHostile: input that nobody means ends soon, with a note where a part of
// it is not read, and never in a panic. The time allowed is far above what any
// of it takes, and far below what a quadratic step would.
func TestHostile(t *testing.T) {
	lots := strings.Repeat
	numbered := func(text string, n int) string { // I is the count, J one more
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("I", strconv.Itoa(i), "J", strconv.Itoa(i+1)).Replace(text))
		}
		return b.String()
	}
	tests := map[string]struct{ src, note string }{
		"macros that double":          {"#define M0 x y\n" + numbered("#define NI MI+MI\n#define MJ NI+NI\n", 40) + "M40\n__global__ void k() {}\n", "preprocessed text is longer"},
		"arguments that double":       {"#define D(x) x+x\n" + lots("D(", 60) + "x" + lots(")", 60) + "\n__global__ void k() {}\n", "the macro D expands"},
		"arguments that nest":         {"#define D(x) x\n" + lots("D(", 5000) + "x" + lots(")", 5000) + "\n__global__ void k() {}\n", "macro arguments nest"},
		"a call without an end":       {"#define D(x) x\n__global__ void k() {}\nD(" + lots("(", 20_000), "a macro call does not end"},
		"a file that includes itself": {"#include \"t.cu\"\n#include \"t.cu\"\n__global__ void k() {}\n", "includes nest"},
		"open brackets":               {lots("(", 60_000), ""},
		"open angles":                 {"__global__ void k" + lots("<", 60_000), ""},
		"open angles in short heads":  {lots("template <"+lots("<", 1500)+";", 300), ""},
		"braces in disorder":          {lots("}{", 60_000) + "__global__ void k() {}", ""},
		"braces in a row":             {"const int x[] = " + lots("{}", 60_000) + ";\n__global__ void k() {}", ""},
		"open braces":                 {lots("{", 60_000), ""},
		"open conditions":             {numbered("#if AI\n#else\n", 3000) + "__global__ void k() {}", "conditions hold at one place"},
		"a long chain of conditions":  {"#if A\n" + numbered("#elif AI\n", 20_000) + "#endif\n__global__ void k() {}", "conditions hold at one place"},
		"many conditions in a head":   {"__global__ void\n" + numbered("#ifdef AI\nxI\n#endif\n", 60) + "k() {}\n", ""},
		"many definitions":            {numbered("#ifdef AI\n#define X I\n#endif\n", 500) + "__global__ void __launch_bounds__(X) k() {}", "is defined more than"},
		"a deep expression":           {"__global__ void __launch_bounds__(" + lots("(", 4000) + "1" + lots(")", 4000) + ") k() {}", ""},
		"a deep condition":            {"#if " + lots("(", 4000) + "1" + lots(")", 4000) + "\n#endif\n#if " + lots("!", 20_000) + "1\n#endif", ""},
		"a long expression":           {"__global__ void __launch_bounds__(1" + lots("+1", 2000) + ") k() {}", ""},
		"constants in a circle":       {numbered("constexpr int aI = aJ;\n", 5000) + "constexpr int a5000 = a0;\n__global__ void __launch_bounds__(a0) k() {}", ""},
		"constants that double":       {"constexpr int a0 = 1;\n" + numbered("constexpr int aJ = aI + aI;\n", 40) + "__global__ void __launch_bounds__(a40) k() {}", ""},
		"templates without an end":    {"template <int N> struct T { static constexpr int v = T<N + 1>::v; };\n__global__ void __launch_bounds__(T<0>::v) k() {}", ""},
		"bases in a circle":           {"struct A : B {}; struct B : A {};\n__global__ void __launch_bounds__(A::v) k() {}", ""},
		"aliases in a circle":         {"namespace a = b; namespace b = a; using X = Y; using Y = X; using namespace a;\n__global__ void __launch_bounds__(a::v + X::v) k() {}", ""},
		"zeros and broken text":       {"\x00\xff\xfe__global__ void \x00k(\xc3\x28) {}\"\\", ""},
		"a string without an end":     {"\"" + lots("\\", 60_000) + "\n__global__ void k() {}", ""},
		"continuations":               {lots("\\\n", 60_000) + "__global__ void k() {}", ""},
		"one long line":               {"__global__ void k() {} // " + lots("x", 4<<20), ""},
		"many kernels of one name":    {lots("__global__ void __launch_bounds__(32) k() {}\n", 3000), ""},
		"many enumerators":            {"enum {" + numbered("eI,", 100_000) + "};\n__global__ void __launch_bounds__(e64) k() {}", ""},
		"many comments":               {lots("// occlint: spills=0\n", 20_000) + "__global__ void k() {}", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			p, err := Scan(fstest.MapFS{"t.cu": {Data: []byte(tt.src)}}, []string{"t.cu"}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			a := p.Find("_Z1kv", "sm_90")
			p.Faults()
			if took := time.Since(start); took > 2*time.Minute {
				t.Errorf("took %s", took)
			} else if took > time.Second {
				t.Logf("took %s", took)
			}
			var texts []string
			for _, n := range p.Notes() {
				texts = append(texts, n.Text)
			}
			found := strings.Join(texts, "\n")
			if tt.note == "" && found != "" && !strings.Contains(found, "braces") || !strings.Contains(found, tt.note) {
				t.Errorf("notes %q, want %q", found, tt.note)
			}
			if a.Threads > 1024 {
				t.Errorf("%+v", a)
			}
		})
	}
}

// FuzzScan: nothing that a file holds makes the scanner panic or hang, and an
// answer is either resolved or has a reason.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		"__global__ void __launch_bounds__(256, 4) k() {}",
		"#if __CUDA_ARCH__ >= 800\n#define B 2\n#else\n#define B 1\n#endif\n__global__ void __launch_bounds__(64, B) k() { extern __shared__ int s[]; }",
		"template <int N> struct T { static constexpr int v = N * 2; };\ntemplate <class X> __global__ void __launch_bounds__(X::v) k() {}",
		"#define K(n, ...) __global__ void __launch_bounds__(__VA_ARGS__) n() {}\n#ifdef A\nK(k, 32)\n#else\nK(k, 64, 2)\n#endif",
		"namespace a::b { enum { X = 3, Y }; constexpr int f(int n) { return n ? f(n - 1) : Y; } }\n__global__ void __launch_bounds__(a::b::f(9)) k() {}",
		"// occlint: spills=0\n#include \"t.cu\"\n__global__ void __launch_bounds__(R\"(1)\" 'a') k() <% %>",
		"template <> struct S<1, 2> : B<S<1>> {}; using U = S<1, 2>; __global__ void __launch_bounds__(U::x ? sizeof(int) : std::min(1, 2)) k()",
	} {
		f.Add(s, "_Z1kv")
		f.Add(s, "_Z1kI1TILi4EEEvv")
	}
	f.Fuzz(func(t *testing.T, src, mangled string) {
		p, err := Scan(fstest.MapFS{"t.cu": {Data: []byte(src)}}, []string{"t.cu"}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, arch := range []string{"sm_90", "sm_80a", ""} {
			for _, name := range []string{mangled, "_Z1kv"} {
				a := p.Find(name, arch)
				if a.Unresolved != "" && (a.Threads > 0 || a.MaxRegisters > 0) || a.Threads < 0 || a.Threads > 1024 {
					t.Errorf("%+v", a)
				}
			}
		}
		for _, k := range p.Kernels() {
			if k.Name == "" || k.Place().Line < 1 {
				t.Errorf("kernel %q at %v", k.Name, k.Place())
			}
		}
		p.Faults()
	})
}
