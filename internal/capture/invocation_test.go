package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInvocation(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "flags.rsp"), []byte("-Iinc -o inner.o"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args, env string
		shape     string
		sources   []string
		targets   []Target
	}{
		{
			args:  "nvcc -std=c++17 -arch=sm_90 -Xptxas -v -O3 -lineinfo -MD -MF d -c k.cu -o k.o",
			shape: "-std=c++17 -O3 -lineinfo", sources: []string{"k.cu"}, targets: []Target{{"compute_90", "sm_90"}},
		},
		{
			args:    "nvcc -gencode arch=compute_80,code=sm_86 -gencode=arch=compute_90,code=[sm_90,compute_90] -Xptxas=-v,-O2 -rdc=false -dc a.cu",
			shape:   "-Xptxas -O2",
			sources: []string{"a.cu"}, targets: []Target{{"compute_80", "sm_86"}, {"compute_90", "sm_90"}},
		},
		{
			args: "nvcc -arch=compute_80 -code=sm_80,sm_86 -DX=1 --keep --keep-dir t -t 4 k.cu lib.o -lfoo -o app", shape: "-DX=1",
			sources: []string{"k.cu"}, targets: []Target{{"compute_80", "sm_80"}, {"compute_80", "sm_86"}},
		},
		{args: "ccache nvcc -optf flags.rsp -x cu k.cpp", env: "-G -o z", shape: "-Iinc -x cu -G", sources: []string{"k.cpp"}},
		{
			args:  "nvcc -Xcompiler -MD,-MF,k.d,-fPIC -Xcompiler=-MMD -Xcompiler -Wp\\,-MD\\,x.d,-fopenmp -Xcompiler -Wall,-MT,k.o,-MQk.o -c k.cu",
			shape: "-Xcompiler -fPIC -Xcompiler -fopenmp -Xcompiler -Wall", sources: []string{"k.cu"},
		},
		{args: "nvcc -arch=native -c k.cu", sources: []string{"k.cu"}, targets: []Target{{"", "sm_native"}}},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			v, ok := NewInvocation(strings.Fields(tt.args), dir, []string{"NVCC_APPEND_FLAGS=" + tt.env})
			if !ok {
				t.Fatal("not understood")
			}
			if got := strings.Join(v.Shape(), " "); got != tt.shape {
				t.Errorf("shape %q, want %q", got, tt.shape)
			}
			if diff := cmp.Diff(tt.sources, v.Sources()); diff != "" {
				t.Errorf("sources (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.targets, v.Targets()); diff != "" {
				t.Errorf("targets (-want +got):\n%s", diff)
			}
		})
	}
}

func TestInvocationOfOthers(t *testing.T) {
	for _, args := range []string{"clang++ -x cuda -c k.cu", "g++ -c a.cpp", "ar rcs a.a b.o"} {
		if _, ok := NewInvocation(strings.Fields(args), t.TempDir(), nil); ok {
			t.Errorf("%s is taken for nvcc", args)
		}
	}
}

func TestInvocationLauncher(t *testing.T) {
	for args, want := range map[string]string{"env A=1 nvcc -c k.cu": "env A=1", "ccache nvcc -c k.cu": "", "nvcc -c k.cu": ""} {
		v, _ := NewInvocation(strings.Fields(args), t.TempDir(), nil)
		if got := strings.Join(v.Launcher(), " "); got != want {
			t.Errorf("%s: launcher %q, want %q", args, got, want)
		}
	}
}
