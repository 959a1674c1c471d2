package ptx

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// at is a position in t.ptx.
func at(line, column int) parse.Place { return parse.Place{File: "t.ptx", Line: line, Column: column} }

func TestBounds(t *testing.T) {
	tests := []struct {
		name, ptx string
		want      []Entry
	}{
		{"nothing declared", ".target sm_90a\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n",
			[]Entry{{Name: "k", Target: "sm_90a", Place: at(3, 17)}}},
		{"nvcc 13", ".target sm_80\n.visible .entry _Z1kPf(\n\t.param .u64 _Z1kPf_param_0\n)\n.maxntid 256, 1, 1\n.minnctapersm 4\n{\n}\n",
			[]Entry{{Name: "_Z1kPf", Target: "sm_80", Place: at(2, 17), MaxThreads: 256, MinBlocks: 4, Bounds: at(5, 1), BoundsText: ".maxntid 256, 1, 1 .minnctapersm 4"}}},
		{"one line, dimensions multiply", ".target sm_70, texmode_unified\n.entry k .maxntid 16,8,2 .minnctapersm 3 { ret; }\n.entry l .maxnreg 40 {}",
			[]Entry{{Name: "k", Target: "sm_70", Place: at(2, 8), MaxThreads: 256, MinBlocks: 3, Bounds: at(2, 10), BoundsText: ".maxntid 16, 8, 2 .minnctapersm 3"},
				{Name: "l", Target: "sm_70", Place: at(3, 8), MaxRegisters: 40, MaxRegPlace: at(3, 10)}}},
		{"a fixed block in a cluster", ".target sm_90\n.entry k()\n.reqntid 128\n.minnctapersm 2\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{}",
			[]Entry{{Name: "k", Target: "sm_90", Place: at(2, 8), Threads: 128, MinBlocks: 2, Bounds: at(3, 1), BoundsText: ".reqntid 128 .minnctapersm 2", Cluster: [3]int{2, 1, 1}}}},
		{"a cluster's maximum", ".target sm_90\n.entry k()\n.maxntid 128, 1, 1\n.maxclusterrank 4\n{}",
			[]Entry{{Name: "k", Target: "sm_90", Place: at(2, 8), MaxThreads: 128, Bounds: at(3, 1), BoundsText: ".maxntid 128, 1, 1", MaxClusterBlocks: 4}}},
		{"comments, strings and other directives",
			"// .entry a() .maxntid 1\n/* .entry b()\n.maxntid 2 **/ .target sm_90\n.file 1 \".entry c .maxntid 3\"\n.func f() { .reg .b32 %r<4>; }\n.maxntid 5\n.entry d( .param .b32 p ) // .maxntid 7\n.pragma \"nounroll\";\n{}",
			[]Entry{{Name: "d", Target: "sm_90", Place: at(7, 8)}}},
		{"nothing", "", nil},
		{"a long line of data", ".target sm_90\n.global .b8 x[9] = {" + strings.Repeat("1, ", 200_000) + "1};\n.entry k .maxntid 32 {}",
			[]Entry{{Name: "k", Target: "sm_90", Place: at(3, 8), MaxThreads: 32, Bounds: at(3, 10), BoundsText: ".maxntid 32"}}},
		{"a name longer than any", ".target sm_90\n.global .b8 " + strings.Repeat("x", 1<<20) + ";\n.entry k .maxntid 32 {}",
			[]Entry{{Name: "k", Target: "sm_90", Place: at(3, 8), MaxThreads: 32, Bounds: at(3, 10), BoundsText: ".maxntid 32"}}},
		{"two modules", ".target sm_80\n.entry k .maxntid 32 {}\n.version 8.4\n.target sm_90\n.entry k .maxntid 64 {}",
			[]Entry{{Name: "k", Target: "sm_80", Place: at(2, 8), MaxThreads: 32, Bounds: at(2, 10), BoundsText: ".maxntid 32"},
				{Name: "k", Target: "sm_90", Place: at(5, 8), MaxThreads: 64, Bounds: at(5, 10), BoundsText: ".maxntid 64"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, in := range []string{".version 9.0 " + tt.ptx, tt.ptx + "\n.version 9.0\n"} {
				got, err := Read(strings.NewReader(in), "t.ptx")
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
			}
			byByte, err := Read(iotest.OneByteReader(strings.NewReader(".version 9.0 "+tt.ptx)), "t.ptx")
			if diff := cmp.Diff(tt.want, byByte); diff != "" || err != nil {
				t.Error("read byte by byte:", err, diff)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for in, want := range map[string]string{
		"ELF garbage":                       "t.ptx: it is no PTX: there is no .version directive",
		"":                                  "t.ptx: it is no PTX: there is no .version directive",
		".target sm_80\n.entry k {}":        "t.ptx: it is no PTX: there is no .version directive",
		".entry k\n.maxntid x\n{}":          `t.ptx:2:1: .maxntid x of "k" is no number that PTX allows`,
		".entry k .maxnreg 0 {}":            `t.ptx:1:10: .maxnreg 0 of "k" is no number that PTX allows`,
		".entry k .maxntid 99999, 99999 {}": `t.ptx:1:10: .maxntid 99999, 99999 of "k" is no number that PTX allows`,
		".entry k .minnctapersm {}":         `t.ptx:1:10: .minnctapersm  of "k" is no number that PTX allows`,
		".version 8.4\n.entry k(":           `t.ptx: the PTX is cut: it ends inside "k"`,
		".version 8.4\n.entry k() {\n ret;": `t.ptx: the PTX is cut: it ends inside "k"`,
		".version 8.4\n.entry k() {\n.version 8.4\n.entry l() {}": `t.ptx: the PTX is cut: it ends inside "k"`,
		".version 8.4\n.entry k() {}\n\x00\x01":                   "t.ptx: it holds a NUL byte, so it is an object or another binary and no PTX: give the .ptx file that nvcc -ptx or nvcc -keep writes, or what cuobjdump -xptx all takes out of the binary",
	} {
		_, err := Read(strings.NewReader(in), "t.ptx")
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", in, err, want)
		}
	}
}

// What the kernels of dynamic.cu say of themselves, each in its own comment,
// against nvcc's PTX of them.
func TestDynamicShared(t *testing.T) {
	for _, file := range []string{"dynamic_sm_90.ptx", "dynamic_sm_90_rdc.ptx"} {
		in, err := os.Open("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		entries, err := Read(in, file)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, e := range entries {
			got[e.Name] = e.DynamicShared
			if (e.DynamicSharedAt.Line > 0) != (e.DynamicShared != "") {
				t.Errorf("%s: %s is at %v", e.Name, e.DynamicShared, e.DynamicSharedAt)
			}
		}
		for _, e := range entries {
			if e.Outside != "" && e.Name != "virtual_call" {
				t.Errorf("%s reaches %s, and all is in one file", e.Name, e.Outside)
			}
		}
		want := map[string]string{
			"none": "", "itself": "dyn", "called": "dyn", "calls_twice": "dyn", "virtual_call": "dyn",
			"sized": "", "static_array": "", "parameter": "", "clustered": "", "other": "other_dyn",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
}

func TestDynamicSharedByHand(t *testing.T) {
	const head = ".version 8.4\n.target sm_90\n"
	tests := []struct{ name, ptx, want string }{
		{"as Triton writes it", ".extern .shared .align 16 .b8 global_smem[];\n.entry k() { mov.u32 %r1, global_smem; }", "k=global_smem"},
		{"inside a body", ".entry k() { .extern .shared .b8 s[ ]; mov.u32 %r1, s; }", "k=s"},
		{"through an alias", ".extern .shared .b8 s[];\n.func f() { mov.u32 %r1, s; }\n.func g();\n.alias g, f;\n.entry k() { call g; }", "k=s"},
		{"functions that call each other", ".extern .shared .b8 s[];\n.func g();\n.func f() { call g; }\n.func g() { call f; mov.u32 %r1, s; }\n.entry k() { call f; }", "k=s"},
		{"a size", ".extern .shared .b8 s[64];\n.entry k() { mov.u32 %r1, s; }", "k="},
		{"no array", ".extern .shared .b8 s;\n.entry k() { mov.u32 %r1, s; }", "k="},
		{"of another module", ".extern .shared .b8 s[];\n.version 8.4\n.entry k() { mov.u32 %r1, s; }", "k="},
		{"a load names the space", ".extern .func f();\n.entry k(.param .u64 .ptr .shared p) { ld.shared.u32 %r1, [%r2]; call f; }", "k="},
	}
	for _, tt := range tests {
		entries, err := Read(strings.NewReader(head+tt.ptx), "t.ptx")
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		var list strings.Builder
		for _, e := range entries {
			fmt.Fprintf(&list, "%s=%s", e.Name, e.DynamicShared)
		}
		if got := list.String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestOutside(t *testing.T) {
	for in, want := range map[string]string{
		".func f();\n.func f() {}\n.entry k() { call f; }":                                              "",
		".extern .func f();\n.entry k() { call f; }":                                                    "f",
		".extern .func f();\n.func g() { call f; }\n.entry k() { call g; }":                             "f",
		".extern .func f();\n.entry k() {}":                                                             "",
		".extern .func (.param .b32 r) vprintf(.param .b64 p);\n.entry k() { call (r), vprintf, (p); }": "",
		".extern .func __assertfail();\n.entry k() { call __assertfail; }":                              "",
		// What a pointer from elsewhere leads to is not known.
		".entry k() { call (r), %rd12, (p), prototype_1; }": "a function behind a pointer",
		".entry k() { call.uni %rd12; }":                    "a function behind a pointer",
	} {
		entries, err := Read(strings.NewReader(".version 8.4\n"+in), "t.ptx")
		if err != nil || len(entries) != 1 || entries[0].Outside != want {
			t.Errorf("%s: %+v, %v, want %q", in, entries, err, want)
		}
	}
}

// TestLastWord: a word that ends where the text does is read as it is, however
// the end is told: with the last bytes, behind them, or by a NUL byte.
func TestLastWord(t *testing.T) {
	const text = ".version 8.4 .target sm_80 .entry k"
	for name, in := range map[string]io.Reader{
		"behind":   strings.NewReader(text),
		"with":     iotest.DataErrReader(strings.NewReader(text)),
		"by bytes": iotest.OneByteReader(strings.NewReader(text)),
		"by a NUL": strings.NewReader(text + "\x00"),
	} {
		entries, err := Read(in, "t.ptx")
		if err == nil || len(entries) != 1 || entries[0].Name != "k" {
			t.Errorf("%s: %v, %v; want the entry k, and that its text is cut", name, entries, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []string{"dynamic_sm_90.ptx", "dynamic_sm_90_rdc.ptx"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(".version 8.4 .target sm_80 .entry k .maxntid 32 {}")
	f.Fuzz(func(t *testing.T, in string) {
		whole, err := Read(strings.NewReader(in), "t.ptx")
		parts, errParts := Read(iotest.OneByteReader(strings.NewReader(in)), "t.ptx")
		if strings.Contains(in, "\x00") && err == nil {
			t.Error("a NUL byte is no error")
		}
		if diff := cmp.Diff(whole, parts); diff != "" || fmt.Sprint(err) != fmt.Sprint(errParts) {
			t.Errorf("%v, in pieces %v: %s", err, errParts, diff)
		}
		for _, e := range whole {
			if e.Place.Line < 1 || e.Place.Column < 1 || e.Place.Line > strings.Count(in, "\n")+1 {
				t.Errorf("%q is at %v", e.Name, e.Place)
			}
		}
	})
}

// BenchmarkRead reads what nvcc writes, over and over.
func BenchmarkRead(b *testing.B) {
	text, err := os.ReadFile("testdata/dynamic_sm_90.ptx")
	if err != nil {
		b.Fatal(err)
	}
	in := strings.Repeat(string(text), 100)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(strings.NewReader(in), "t.ptx"); err != nil {
			b.Fatal(err)
		}
	}
}
