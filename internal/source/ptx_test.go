package source

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// place is a position in t.ptx.
func at(line, column int) parse.Place { return parse.Place{File: "t.ptx", Line: line, Column: column} }

func TestReadPTX(t *testing.T) {
	tests := []struct {
		name, ptx string
		want      []Entry
	}{
		{"nothing declared", ".version 9.0\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n",
			[]Entry{{Name: "k", Target: "sm_90a", Place: at(4, 17)}}},
		{"nvcc 13", ".target sm_80\n.visible .entry _Z1kPf(\n\t.param .u64 _Z1kPf_param_0\n)\n.maxntid 256, 1, 1\n.minnctapersm 4\n{\n}\n",
			[]Entry{{Name: "_Z1kPf", Target: "sm_80", Place: at(2, 17), MaxThreads: 256, MinBlocks: 4, Bounds: at(5, 1), BoundsText: ".maxntid 256, 1, 1 .minnctapersm 4"}}},
		{"one line, dimensions multiply", ".target sm_70, texmode_unified\n.entry k .maxntid 16,8,2 .minnctapersm 3 { ret; }\n.entry l .maxnreg 40 {}",
			[]Entry{{Name: "k", Target: "sm_70", Place: at(2, 8), MaxThreads: 256, MinBlocks: 3, Bounds: at(2, 10), BoundsText: ".maxntid 16, 8, 2 .minnctapersm 3"},
				{Name: "l", Target: "sm_70", Place: at(3, 8), MaxRegisters: 40, MaxRegPlace: at(3, 10)}}},
		{"a fixed block", ".target sm_90\n.entry k()\n.reqntid 128\n.minnctapersm 2\n.explicitcluster\n.reqnctapercluster 2, 1, 1\n{}",
			[]Entry{{Name: "k", Target: "sm_90", Place: at(2, 8), Threads: 128, MinBlocks: 2, Bounds: at(3, 1), BoundsText: ".reqntid 128 .minnctapersm 2"}}},
		{"comments, strings and other directives",
			"// .entry a() .maxntid 1\n/* .entry b()\n.maxntid 2 */ .target sm_90\n.file 1 \".entry c .maxntid 3\"\n.func f() { .reg .b32 %r<4>; }\n.maxntid 5\n.entry d( .param .b32 p ) // .maxntid 7\n.pragma \"nounroll\";\n{}",
			[]Entry{{Name: "d", Target: "sm_90", Place: at(7, 8)}}},
		{"nothing", "", nil},
		{"a cut file", ".target sm_90\n.visible .entry k(", []Entry{{Name: "k", Target: "sm_90", Place: at(2, 17)}}},
		{"a long line of data", ".target sm_90\n.global .b8 x[9] = {" + strings.Repeat("1, ", 100_000) + "1};\n.entry k .maxntid 32 {}",
			[]Entry{{Name: "k", Target: "sm_90", Place: at(3, 8), MaxThreads: 32, Bounds: at(3, 10), BoundsText: ".maxntid 32"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ReadPTX(strings.NewReader(tt.ptx+"\n.version 9.0\n"), "t.ptx")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadPTXFaults(t *testing.T) {
	for ptx, want := range map[string]string{
		"ELF garbage":                       "t.ptx: it is no PTX: there is no .version directive",
		"":                                  "t.ptx: it is no PTX: there is no .version directive",
		".target sm_80\n.entry k {}":        "t.ptx: it is no PTX: there is no .version directive",
		".entry k\n.maxntid x\n{}":          `t.ptx:2:1: .maxntid x of "k" is no number that PTX allows`,
		".entry k .maxnreg 0 {}":            `t.ptx:1:10: .maxnreg 0 of "k" is no number that PTX allows`,
		".entry k .maxntid 99999, 99999 {}": `t.ptx:1:10: .maxntid 99999, 99999 of "k" is no number that PTX allows`,
		".entry k .minnctapersm {}":         `t.ptx:1:10: .minnctapersm  of "k" is no number that PTX allows`,
	} {
		_, err := ReadPTX(strings.NewReader(ptx), "t.ptx")
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v\nwant %s", ptx, err, want)
		}
	}
}
