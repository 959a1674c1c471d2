package declare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/rules"
)

// TestCommentsOfSeveral: comments of kernels that share a name count for the
// kernel that they stand at; where the log's kernel can be one of several, the
// tightest budget counts, what is accepted must be accepted by all, and what
// contradicts is an error.
func TestCommentsOfSeveral(t *testing.T) {
	said := func(p *rules.Policy, kernel string) string {
		var parts []string
		for _, d := range p.Declarations {
			if !slices.Contains(d.Names, kernel) {
				continue
			}
			if d.Registers.Set {
				parts = append(parts, fmt.Sprintf("registers %d", d.Registers.Value))
			}
			if d.DynamicShared.Set {
				parts = append(parts, fmt.Sprintf("dynamic_shared %d", d.DynamicShared.Value))
			}
		}
		for _, ig := range p.Ignores {
			for _, n := range ig.Names {
				if n == kernel {
					parts = append(parts, "ignore "+ig.Rule)
				}
			}
		}
		return strings.Join(parts, ", ")
	}
	tests := []struct {
		name  string
		files map[string]string
		want  map[string]string // by kernel
		err   string
	}{
		{"overloads that the parameters tell apart", map[string]string{"k.cu": "// occlint: registers<=10\n__global__ void p(float* q) {}\n// occlint: registers<=100\n__global__ void p(int* q) {}\n"},
			map[string]string{"_Z1pPf": "registers 10", "_Z1pPi": "registers 100"}, ""},
		{"an overload's ignore", map[string]string{"k.cu": "// occlint:ignore spill-budget -- cold\n__global__ void p(float* q) {}\n__global__ void p(int* q) {}\n"},
			map[string]string{"_Z1pPf": "ignore spill-budget", "_Z1pPi": ""}, ""},
		{"an overload's dynamic shared memory", map[string]string{"k.cu": "// occlint: dynamic_shared=0\n__global__ void p(float* q) {}\n__global__ void p(int* q) {}\n"},
			map[string]string{"_Z1pPf": "dynamic_shared 0", "_Z1pPi": ""}, ""},
		{"overloads that can't be told apart", map[string]string{"k.cu": "// occlint: registers<=10\n__global__ void p(A q) {}\n// occlint: registers<=100\n__global__ void p(B q) {}\n"},
			map[string]string{"_Z1p1A": ""}, "k.cu:1:1: registers of p is 10 here and 100 at k.cu:3, and which of them"},
		{"one of them has a budget", map[string]string{"k.cu": "__global__ void p(A q) {}\n// occlint: registers<=100 dynamic_shared=8\n__global__ void p(B q) {}\n"},
			map[string]string{"_Z1p1A": "registers 100", "_Z1p1B": "registers 100"}, ""},
		{"one of them has an ignore", map[string]string{"k.cu": "__global__ void p(A q) {}\n// occlint:ignore spill-budget -- cold\n__global__ void p(B q) {}\n"},
			map[string]string{"_Z1p1A": "", "_Z1p1B": ""}, ""},
		{"both have an ignore", map[string]string{"k.cu": "// occlint:ignore spill-budget -- cold\n__global__ void p(A q) {}\n// occlint:ignore spill-budget -- old\n__global__ void p(B q) {}\n"},
			map[string]string{"_Z1p1A": "ignore spill-budget, ignore spill-budget"}, ""},
		{"both say the same of the launch", map[string]string{"k.cu": "// occlint: dynamic_shared=8\n__global__ void p(A q) {}\n// occlint: dynamic_shared=8\n__global__ void p(B q) {}\n"},
			map[string]string{"_Z1p1A": "dynamic_shared 8"}, ""},
		{"templates of one name", map[string]string{"k.cu": "// occlint: registers<=10\ntemplate<class T> __global__ void p(T* q) {}\n// occlint: registers<=100\ntemplate<class T, int N> __global__ void p(T* q) {}\n"},
			map[string]string{"_Z1pIfEvPT_": "registers 10", "_Z1pIfLi2EEvPT_": "registers 100"}, ""},
		{"static kernels of two files", map[string]string{"k.cu": "// occlint: registers<=10\nstatic __global__ void p() {}\n", "l.cu": "// occlint: registers<=100\nstatic __global__ void p() {}\n"},
			map[string]string{"_Z1pv": ""}, "k.cu:1:1: registers of p is 10 here and 100 at l.cu:1"},
		{"static kernels, one with an ignore", map[string]string{"k.cu": "// occlint:ignore spill-budget -- cold\nstatic __global__ void p() {}\n", "l.cu": "static __global__ void p() {}\n"},
			map[string]string{"_Z1pv": ""}, ""},
		{"declaration and definition", map[string]string{"k.cu": "// occlint: registers<=10\n__global__ void p(float* in);\n// occlint: registers<=100\n__global__ void p(float* q) {}\n"},
			map[string]string{"_Z1pPf": ""}, "k.cu:1:1: registers of p is 10 here and 100 at k.cu:3"},
		{"a declaration's comment", map[string]string{"k.cu": "// occlint: registers<=10\n// occlint:ignore spill-budget -- cold\n__global__ void p(float* in);\n__global__ void p(float* q) {}\n"},
			map[string]string{"_Z1pPf": "registers 10, ignore spill-budget"}, ""},
		{"a specialization takes budgets that it does not set, and no ignores beside its own comment",
			map[string]string{"k.cu": "// occlint: registers<=20 dynamic_shared=8\n// occlint:ignore spill-budget -- cold\ntemplate<int N> __global__ void p(float* q) {}\n// occlint: registers<=10\ntemplate<> __global__ void p<3>(float* q) {}\n"},
			map[string]string{"_Z1pILi3EEvPf": "registers 10, dynamic_shared 8", "_Z1pILi4EEvPf": "registers 20, dynamic_shared 8, ignore spill-budget"}, ""},
	}
	for _, tt := range tests {
		in := repository(t, tt.files)
		in.Sources = []string{"*.cu"}
		var kernels []string
		for k := range tt.want {
			kernels = append(kernels, k+" sm_80")
		}
		in.Log = logOf(kernels...)
		p, err := Policy(in)
		if tt.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
				t.Errorf("%s: %v", tt.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		for kernel, want := range tt.want {
			if got := said(p, kernel); got != want {
				t.Errorf("%s: %s: %q, want %q", tt.name, kernel, got, want)
			}
		}
	}
}

// TestBudgetsOfNoKernel: a comment whose kernel is not in the log is declared
// for none, once.
func TestBudgetsOfNoKernel(t *testing.T) {
	in := repository(t, map[string]string{"k.cu": `
// occlint: registers<=10 spills=0
__global__ void gone() {}
// occlint: registers<=10
__global__ void here() {}
#if USE_X
// occlint: registers<=10
__global__ void conditional() {}
#endif
// occlint:ignore spill-budget -- cold
__global__ void ignored() {}
`})
	in.Sources = []string{"k.cu"}
	in.Log = logOf("_Z4herev sm_80")
	in.Partial = true
	p, err := Policy(in)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range p.Declarations {
		if d.Names != nil && len(d.Names) == 0 {
			got = append(got, fmt.Sprintf("%s %s:%d", d.Match, d.Origin.Place.File, d.Origin.Place.Line))
		}
	}
	if want := "gone k.cu:2"; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
	result, err := rules.Judge(given(in), p)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range result.Findings {
		if f.Rule == "unmatched" {
			found++
			if f.Severity != rules.Info || f.Message != `the log has no kernel "gone", which a comment sets budgets for` {
				t.Errorf("%v %s", f.Severity, f.Message)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d findings", found)
	}
}
