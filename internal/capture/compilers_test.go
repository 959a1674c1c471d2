package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOtherCompilers: clang and Kokkos' wrapper, whose options and sources are
// not nvcc's.
func TestOtherCompilers(t *testing.T) {
	tests := []struct {
		args, sources, outputs, archs, flags, runs string
	}{
		{
			"clang++ --cuda-gpu-arch=sm_80 --offload-arch=sm_90 -O3 -DN=4 -Iinc -fgpu-rdc -Xcuda-ptxas -O2 -MD -MF a.d -c a.cu -o a.o", "a.cu", "a.o",
			"sm_80 sm_90", "--gpu-code=sm_80 --gpu-code=sm_90 --optimize=3 --define-macro=N=4 --relocatable-device-code=true --ptxas-options=-O2",
			"clang++ -Xcuda-ptxas -v --cuda-gpu-arch=sm_80 --offload-arch=sm_90 -O3 -DN=4 -Iinc -fgpu-rdc -Xcuda-ptxas -O2 -MD -MF a.d -c a.cu -o a.o",
		},
		{"ccache /usr/bin/clang++-18 -x cuda -c a.cpp", "a.cpp", "a.o", "sm_default", "", "ccache /usr/bin/clang++-18 -Xcuda-ptxas -v -x cuda -c a.cpp"},
		{"clang-18.1 -Xcuda-ptxas -v -c a.cu", "a.cu", "a.o", "sm_default", "--ptxas-options=", "clang-18.1 -Xcuda-ptxas -v -c a.cu"},
		{"clang++ a.cu -o app", "a.cu", "app", "sm_default", "", "clang++ -Xcuda-ptxas -v a.cu -o app"},
		{"nvcc_wrapper -arch=sm_80 -c a.cpp -o a.o", "a.cpp", "a.o", "sm_80", "--gpu-architecture=sm_80", "nvcc_wrapper -Xptxas -v -arch=sm_80 -c a.cpp -o a.o"},
		{"/k/bin/nvcc_wrapper -c a.C", "a.C", "a.o", "sm_default", "", "/k/bin/nvcc_wrapper -Xptxas -v -c a.C"},
		{"nvcc_wrapper a.cpp -o app", "a.cpp", "app", "sm_default", "", "nvcc_wrapper -Xptxas -v -Xnvlink -v a.cpp -o app"},
	}
	for _, tt := range tests {
		c, ok := understand(words(tt.args), "", nil)
		if !ok {
			t.Errorf("%q is not understood", tt.args)
			continue
		}
		flags := tt.flags
		if flags == "--ptxas-options=" { // -v is no flag of its own
			flags = ""
		}
		got := []string{
			strings.Join(c.deviceSources(), " "), strings.Join(c.outputs(), " "), strings.Join(c.archs(), " "), strings.Join(c.flags(), " "), strings.Join(c.injected(), " "),
		}
		if diff := cmp.Diff([]string{tt.sources, tt.outputs, tt.archs, flags, tt.runs}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.args, diff)
		}
	}
	for _, args := range []string{
		"clang++ -c a.cpp", "clang a.o -o app", "clang++ -E a.cu", "clang++ -S -c a.cu", "clang++ --cuda-host-only -c a.cu", "clang++ -x c++ -c a.cu",
		"nvcc_wrapper --host-only -c a.cpp", "nvcc_wrapper -c a.c",
	} {
		if c, ok := understand(words(args), "", nil); ok && c.action != stopsEarly {
			t.Errorf("%q is recorded: %+v", args, c)
		}
	}
}

// TestTrials: what a build system compiles to learn about the compiler has no
// record, wherever records go.
func TestTrials(t *testing.T) {
	dir := project(t)
	t.Setenv("OCCLINT_RECORDS", filepath.Join(dir, "records"))
	writeFile(t, filepath.Join(dir, "replay/conftest.log"), scaleLog)
	writeFile(t, filepath.Join(dir, "replay/sanitycheckcuda.log"), scaleLog)
	t.Setenv("FAKENVCC_LOGS", filepath.Join(dir, "replay"))
	for _, file := range []string{
		"meson-private/sanitycheckcuda.cu", "meson-private/tmpabc/testfile.cu", "conftest.cu", "build/CMakeFiles/CMakeScratch/TryCompile-a/scale.cu",
		".conf_check_0123/scale.cu", ".sconf_temp/conftest_0.cu", "_configtest.cu",
	} {
		path := filepath.Join(dir, file)
		writeFile(t, path, "\n")
		for _, call := range [][2]string{{filepath.Dir(path), filepath.Base(path)}, {dir, file}} {
			if code, _, stderr := wrapped(call[0], "nvcc", "-c", call[1], "-o", filepath.Join(filepath.Dir(path), "t.o")); code != 0 || stderr != "" {
				t.Errorf("%s: exit %d, %q", file, code, stderr)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "records")); err == nil {
		t.Error("records were kept")
	}
	// Nor are those judged that an older occlint kept.
	wrapped(dir, compileScale...)
	code, _, _ := wrapped(dir, words("nvcc -c scale.cu -o x.o")...)
	if code != 0 {
		t.Fatal(code)
	}
	for from, to := range map[string]string{DirName: "meson-private/" + DirName} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	if dirs, err := recordDirs(dir); err != nil || len(dirs) != 0 {
		t.Errorf("%q, %v", dirs, err)
	}
}

// TestUnreadCompiler: a compiler that nobody knows here compiles, and its
// objects are known to have no record; that is said once.
func TestUnreadCompiler(t *testing.T) {
	dir := project(t)
	tool := filepath.Join(dir, "bin", "mycc")
	writeFile(t, tool, "#!/bin/sh\nshift $(($# - 1)); echo object > $1\n")
	if err := os.Chmod(tool, 0o755); err != nil {
		t.Fatal(err)
	}
	const reason = "occlint wrap knows nvcc, nvcc_wrapper and clang, and "
	code, _, stderr := wrapped(dir, tool, "-c", "scale.cu", "-o", "a.o")
	if code != 0 || !strings.Contains(stderr, "occlint: warning: a.o has no record: "+reason+tool+" is none of them") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	if code, _, stderr := wrapped(dir, tool, "-c", "scale.cu", "-o", "b.o"); code != 0 || stderr != "" {
		t.Errorf("the second: exit %d, %q", code, stderr)
	}
	// Links, archives and C++ pass as if nobody were there.
	for _, args := range []string{"-o app a.o b.o", "-c main.cpp -o m.o", "qc lib.a a.o"} {
		if code, _, stderr := wrapped(dir, append([]string{tool}, words(args)...)...); code != 0 || stderr != "" {
			t.Errorf("%s: exit %d, %q", args, code, stderr)
		}
	}
	wrapped(dir, compileScale...)
	log, _ := load(t, dir, dir)
	if got := faults(log); strings.Count(got, reason) != 2 || !strings.Contains(got, "scale.cu: a.o has no record") || kernelNames(log) != "_Z5scalePf" {
		t.Errorf("%q, %s", got, kernelNames(log))
	}
	remove(t, filepath.Join(dir, "a.o"))
	remove(t, filepath.Join(dir, "b.o"))
	if log, _ := load(t, dir, dir); len(log.Faults) != 0 {
		t.Errorf("after the objects are gone: %s", faults(log))
	}
}
