package capture

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// words splits a command line at blanks.
func words(s string) []string { return strings.Fields(s) }

func TestUnderstandAction(t *testing.T) {
	tests := []struct {
		args    string
		action  action
		outputs string
		sources string
	}{
		{"nvcc -c a.cu", compiles, "a.o", "a.cu"},
		{"nvcc -c a.cu -o x/a.obj", compiles, "x/a.obj", "a.cu"},
		{"nvcc -c a.cu -o=x.o", compiles, "x.o", "a.cu"},
		{"nvcc --compile src/a.cu --output-file x.o", compiles, "x.o", "src/a.cu"},
		{"nvcc -c a.cu -odir obj", compiles, "obj/a.o", "a.cu"},
		{"nvcc -c a.cu b.cu", compiles, "a.o b.o", "a.cu b.cu"},
		{"nvcc -dc a.cu -o a.o", compiles, "a.o", "a.cu"},
		{"nvcc --device-c a.cu", compiles, "a.o", "a.cu"},
		{"nvcc -dw a.cu", compiles, "a.o", "a.cu"},
		{"nvcc -cubin a.cu", compiles, "a.cubin", "a.cu"},
		{"nvcc -fatbin a.ptx", compiles, "a.fatbin", "a.ptx"},
		{"nvcc -x cu -rdc=true -c a.cpp -o a.o", compiles, "a.o", "a.cpp"},
		{"nvcc -x=cu -c a.cpp", compiles, "a.o", "a.cpp"},
		{"nvcc -dlink a.o b.o", deviceLinks, "a_dlink.o", ""},
		{"nvcc --device-link a.o -o dl.o -lcudadevrt", deviceLinks, "dl.o", ""},
		{"nvcc a.cu -o app -lcublas -L/opt/lib", links, "app", "a.cu"},
		{"nvcc -dlink -cubin a.o", deviceLinks, "a_dlink.cubin", ""},
		{"nvcc -fatbin a.o -dlink -o dl.fatbin", deviceLinks, "dl.fatbin", ""},
		{"nvcc -link a.o", links, "a.out", ""},
		{"nvcc -shared a.o -o liba.so", links, "liba.so", ""},
		{"nvcc -lib a.cu -o liba.a", archives, "liba.a", "a.cu"},
		{"nvcc -Xcompiler -fPIC,-Wall -I include -D N=3 -c a.cu", compiles, "a.o", "a.cu"},
		{"nvcc -Iinclude -DN -O3 -lineinfo -t 4 -c a.cu", compiles, "a.o", "a.cu"},
		{"nvcc -MD -MT a.o -MF a.d -c a.cu -o a.o", compiles, "a.o", "a.cu"},
		{"nvcc -forward-unknown-to-host-compiler -mavx2 -fopenmp -c a.cu", compiles, "a.o", "a.cu"},

		{"nvcc -lib a.o b.o -o liba.a", stopsEarly, "", ""},
		{"nvcc -c a.cpp", stopsEarly, "", ""},
		{"nvcc -x c++ -c a.cu", stopsEarly, "", ""},
		{"nvcc -E a.cu", stopsEarly, "", ""},
		{"nvcc -M a.cu", stopsEarly, "", ""},
		{"nvcc -MM a.cu -o a.d", stopsEarly, "", ""},
		{"nvcc -ptx a.cu", stopsEarly, "", ""},
		{"nvcc -cuda a.cu", stopsEarly, "", ""},
		{"nvcc -optix-ir a.cu", stopsEarly, "", ""},
		{"nvcc --dryrun -c a.cu", stopsEarly, "", ""},
		{"nvcc -clean -c a.cu", stopsEarly, "", ""},
		{"nvcc --version", stopsEarly, "", ""},
		{"nvcc -V -c a.cu", stopsEarly, "", ""},
		{"nvcc -h", stopsEarly, "", ""},
		{"nvcc --list-gpu-code", stopsEarly, "", ""},
		{"nvcc -c", stopsEarly, "", ""},
		{"nvcc", stopsEarly, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			c, ok := understand(words(tt.args), t.TempDir(), nil)
			if !ok || c.action != tt.action {
				t.Fatalf("ok %v, %+v; want action %d", ok, c, tt.action)
			}
			if tt.action == stopsEarly {
				return
			}
			if got := strings.Join(c.outputs(), " "); got != filepath.FromSlash(tt.outputs) {
				t.Errorf("outputs %q, want %q", got, tt.outputs)
			}
			if got := strings.Join(c.deviceSources(), " "); got != tt.sources {
				t.Errorf("sources %q, want %q", got, tt.sources)
			}
		})
	}
}

// TestUnderstandProgram: RULE_LAUNCH_LINK also fronts ar, ranlib and c++, and a
// launcher may have compiler caches behind it.
func TestUnderstandProgram(t *testing.T) {
	for _, args := range []string{
		"/usr/bin/ar qc liba.a a.o", "/usr/bin/ranlib liba.a", "/usr/bin/c++ -O3 a.o -o app", "cmake -E rm -f liba.a",
		"ccache gcc -c a.c", "sh -c nvcc", "clang++ -c a.cpp", "clang-tidy a.cu", "hipcc -c a.cu", "", "ccache",
		"nice -n", "env -u nvcc make", "nice -n 10 make nvcc",
	} {
		if c, ok := understand(words(args), "", nil); ok {
			t.Errorf("%q is taken for nvcc: %+v", args, c)
		}
	}
	for args, want := range map[string]string{
		"nvcc -c a.cu":                          "",
		"/usr/local/cuda-13.0/bin/nvcc -c a.cu": "",
		`C:\CUDA\bin\nvcc.exe -c a.cu`:          "",
		`C:/CUDA/bin/NVCC.EXE -c a.cu`:          "",
		"nvcc-12.4 -c a.cu":                     "",

		"ccache nvcc -c a.cu":                            "ccache",
		"/usr/bin/sccache /opt/cuda/bin/nvcc -c a.cu":    "sccache",
		"env CCACHE_DIR=/c ccache nvcc -c a.cu":          "ccache",
		"ccache compiler_check=content nvcc -c a.cu":     "ccache",
		"time nvcc -c a.cu":                              "",
		"nvcc -c /src/ccache/a.cu -o /src/ccache/a.o":    "",
		"distcc nvcc -c a.cu -o a.o":                     "",
		"buildcache.exe nvcc -c a.cu":                    "buildcache",
		"nice -n 5 ccache nvcc -c a.cu":                  "ccache",
		"nice -5 nvcc -c a.cu":                           "",
		"env -u FOO nvcc -c a.cu":                        "",
		"env -i -u FOO A=b -C /src nvcc -c a.cu":         "",
		"ionice -c 3 nice --adjustment 10 nvcc -c a.cu":  "",
		"time -f %e -o t.txt nvcc -c a.cu":               "",
		"/opt/x86_64-linux-nvcc -c a.cu":                 "",
		"ccache /usr/bin/env X=1 /usr/bin/nvcc -c a.cu":  "ccache",
		"sccache --start-server-if-needed nvcc -c a.cu ": "sccache",
	} {
		c, ok := understand(words(args), "", nil)
		if !ok || c.cache() != want || c.action != compiles {
			t.Errorf("%q: ok %v, %+v; want cache %q", args, ok, c, want)
		}
	}
}

func TestInjected(t *testing.T) {
	tests := []struct{ args, want string }{
		{"nvcc -c a.cu", "nvcc -Xptxas=-v -c a.cu"},
		{"ccache nvcc -c a.cu", "ccache nvcc -Xptxas=-v -c a.cu"},
		{"nvcc -dlink a.o", "nvcc -Xptxas=-v -Xnvlink=-v -dlink a.o"},
		{"nvcc a.cu -o app", "nvcc -Xptxas=-v -Xnvlink=-v a.cu -o app"},
		{"nvcc -Xptxas -v -c a.cu", "nvcc -Xptxas -v -c a.cu"},
		{"nvcc -Xptxas=-O3,-v -c a.cu", "nvcc -Xptxas=-O3,-v -c a.cu"},
		{"nvcc -Xptxas -O3 -Xptxas --verbose -c a.cu", "nvcc -Xptxas -O3 -Xptxas --verbose -c a.cu"},
		{"nvcc --ptxas-options=-v -c a.cu", "nvcc --ptxas-options=-v -c a.cu"},
		{"nvcc --resource-usage -c a.cu", "nvcc --resource-usage -c a.cu"},
		{"nvcc -res-usage a.cu", "nvcc -Xnvlink=-v -res-usage a.cu"},
		{"nvcc -Xnvlink -v -Xptxas -dlcm=ca -dlink a.o", "nvcc -Xptxas=-v -Xnvlink -v -Xptxas -dlcm=ca -dlink a.o"},
		{"nvcc -v -c a.cu", "nvcc -Xptxas=-v -v -c a.cu"}, // -v alone shows nvcc's own commands
	}
	for _, tt := range tests {
		c, ok := understand(words(tt.args), "", nil)
		if !ok {
			t.Fatalf("%q is not understood", tt.args)
		}
		if got := strings.Join(c.injected(), " "); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.args, got, tt.want)
		}
	}
	c, _ := understand([]string{"nvcc", "-Xptxas", "-O3 -v", "-c", "a.cu"}, "", nil)
	if got := c.injected(); !cmp.Equal(got, []string{"nvcc", "-Xptxas", "-O3 -v", "-c", "a.cu"}) {
		t.Errorf("blanks in a list: %q", got)
	}
}

func TestArchsAndFlags(t *testing.T) {
	tests := []struct {
		args, archs, flags string
		expects            bool // resource lines
	}{
		{"nvcc -arch=sm_90 -c a.cu", "sm_90", "--gpu-architecture=sm_90", true},
		{"nvcc -arch sm_90a -c a.cu", "sm_90a", "--gpu-architecture=sm_90a", true},
		{"nvcc -c a.cu", "sm_default", "", true},
		{"nvcc -arch=native -c a.cu", "sm_native", "--gpu-architecture=native", true},
		{"nvcc -arch=compute_90 -c a.cu", "compute_90", "--gpu-architecture=compute_90", false},
		{"nvcc -arch=compute_90 -code=sm_90,compute_90 -c a.cu", "sm_90 compute_90", "--gpu-architecture=compute_90 --gpu-code=sm_90,compute_90", true},
		{"nvcc -gencode arch=compute_80,code=sm_80 -gencode=arch=compute_90,code=[sm_90,compute_90] -c a.cu", "sm_80 sm_90 compute_90",
			"--generate-code=arch=compute_80,code=sm_80 --generate-code=arch=compute_90,code=[sm_90,compute_90]", true},
		{`nvcc -gencode arch=compute_90,code="sm_90,compute_90" -c a.cu`, "sm_90 compute_90", `--generate-code=arch=compute_90,code="sm_90,compute_90"`, true},
		{"nvcc -gencode arch=compute_90,code=compute_90 -c a.cu", "compute_90", "--generate-code=arch=compute_90,code=compute_90", false},
		{"nvcc -gencode arch=compute_90,code=lto_90 -dc a.cu", "lto_90", "--generate-code=arch=compute_90,code=lto_90 --device-c", false},
		{"nvcc -dlto -arch=sm_90 -dc a.cu", "sm_90", "--dlink-time-opt --gpu-architecture=sm_90 --device-c", false},
		{"nvcc -maxrregcount 32 -O2 -use_fast_math -I x -Xptxas=-v,-dlcm=ca -Xptxas -v -lineinfo -c a.cu -DN=4", "sm_default",
			"--maxrregcount=32 --optimize=2 --use_fast_math --ptxas-options=-dlcm=ca --define-macro=N=4", true},
		{"nvcc -dlink a.o", "sm_default", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			c, _ := understand(words(tt.args), "", nil)
			if got := strings.Join(c.archs(), " "); got != tt.archs {
				t.Errorf("archs %q, want %q", got, tt.archs)
			}
			if got := strings.Join(c.flags(), " "); got != tt.flags {
				t.Errorf("flags %q, want %q", got, tt.flags)
			}
			if got := c.expectsRecords(); got != tt.expects {
				t.Errorf("expects records: %v", got)
			}
		})
	}
}

// TestResponseFiles: CMake hands a device link its objects in a file.
func TestResponseFiles(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "CMakeFiles/k.dir/deviceObjects1"), "a.o \"b c.o\"\nd\\ e.o 'f.o'\n")
	writeFile(t, filepath.Join(dir, "flags.rsp"), "-arch=sm_90 -optf more.rsp")
	writeFile(t, filepath.Join(dir, "more.rsp"), "-Xptxas -v -optf flags.rsp\n")
	c, _ := understand(words("nvcc -dlink --options-file CMakeFiles/k.dir/deviceObjects1 -o dl.o"), dir, nil)
	if want := []string{"a.o", "b c.o", "d e.o", "f.o"}; c.action != deviceLinks || !cmp.Equal(c.inputs, want) {
		t.Errorf("action %d, inputs %q; want %q", c.action, c.inputs, want)
	}
	// The file names itself through another one: bounded, and read all the same.
	c, _ = understand(words("nvcc --options-file=flags.rsp -c a.cu"), dir, nil)
	if ptxas, _ := c.verbose(); !ptxas || c.archs()[0] != "sm_90" || c.action != compiles {
		t.Errorf("options of nested files are not seen: %+v", c)
	}
	c, _ = understand(words("nvcc @flags.rsp -optf missing.rsp -c a.cu -o a.o"), dir, nil)
	if c.archs()[0] != "sm_90" || c.action != compiles || c.outputs()[0] != "a.o" {
		t.Errorf("@file: %+v", c)
	}
}

func TestResponseWords(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \n\t ", nil},
		{"a b\nc\r\nd", []string{"a", "b", "c", "d"}},
		{`"a b" 'c d'`, []string{"a b", "c d"}},
		{`-DNAME=\"x\"`, []string{`-DNAME="x"`}},
		{`-I"C:\Program Files\x"`, []string{`-IC:\Program Files\x`}},
		{`C:\a\b.o`, []string{`C:\a\b.o`}},
		{`a"b c"d ""`, []string{"ab cd", ""}},
		{`"open`, []string{"open"}},
	}
	for _, tt := range tests {
		if got := responseWords(tt.text); !cmp.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestInjectEnv(t *testing.T) {
	const both = "NVCC_APPEND_FLAGS=-Xptxas=-v -Xnvlink=-v"
	tests := []struct {
		name      string
		env, want []string
	}{
		{"none", []string{"A=1"}, []string{"A=1", both}},
		{"empty", []string{"NVCC_APPEND_FLAGS=", "A=1"}, []string{both, "A=1"}},
		{"others", []string{"NVCC_APPEND_FLAGS=-lineinfo"}, []string{"NVCC_APPEND_FLAGS=-lineinfo -Xptxas=-v -Xnvlink=-v"}},
		{"one is there", []string{"NVCC_APPEND_FLAGS=-Xptxas=-v -G"}, []string{"NVCC_APPEND_FLAGS=-Xptxas=-v -G -Xnvlink=-v"}},
		{"both are there", []string{both}, []string{both}},
		{"set twice", []string{"NVCC_APPEND_FLAGS=-G", "NVCC_APPEND_FLAGS=-g"}, []string{"NVCC_APPEND_FLAGS=-G", "NVCC_APPEND_FLAGS=-g -Xptxas=-v -Xnvlink=-v"}},
	}
	flags := func(env []string) []string { // TestInjectedCaches has the rest
		return slices.DeleteFunc(env, func(e string) bool { return strings.Contains(e, "CACHE_") })
	}
	for _, tt := range tests {
		if got := flags(InjectEnv(tt.env)); !cmp.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if again := flags(InjectEnv(InjectEnv(tt.env))); !cmp.Equal(again, tt.want) {
			t.Errorf("%s, twice: %q, want %q", tt.name, again, tt.want)
		}
	}
}

func TestDependencies(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"a.o:\n", nil},
		{"a.o : a.cu \\\n    b.cuh \\\n  /x/c\\ d.h\n", []string{"a.cu", "b.cuh", "/x/c d.h"}},
		{"a.o: a.cu b$$c.h\n\nb.cuh:\n", []string{"a.cu", "b$c.h"}},
		{"C:\\x\\a.obj : C:\\x\\a.cu\r\n", []string{`C:\x\a.cu`}},
		{"no rule", nil},
	}
	for _, tt := range tests {
		if got := dependencies(tt.text); !cmp.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestReadDepFile(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "a.d"), "a.o : a.cu \\\n  /opt/cuda/include/cuda_runtime.h /opt/cuda/include/crt/x.h \\\n  /usr/include/stdio.h inc/b.cuh\n")
	got := readDepFile(dir, "a.d")
	if want := []string{filepath.Join(dir, "a.cu"), filepath.Join(dir, "inc", "b.cuh")}; !cmp.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := readDepFile(dir, "none.d"); got != nil {
		t.Errorf("a missing file gives %q", got)
	}
}
