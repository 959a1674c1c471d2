package examples

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMake(t *testing.T) {
	needs(t, "make")
	compilers(t, "make", func(s *site, _ bool) {
		out := s.run(0, "make", "-j8", "check")
		s.wants(out, `^3 kernels on sm_90: no findings$`)
		s.wantsNot(out, `ptxas info`)

		// An incremental build compiles one file; all are judged.
		s.edit("stencil.cu")
		out = s.run(0, "make", "-j8", "check")
		if n := strings.Count(out, "occlint wrap"); n != 1 {
			s.Errorf("%d compilations, want 1\n%s", n, out)
		}
		s.wants(out, `^3 kernels on sm_90: no findings$`)

		// Without the build the edit makes the set stale.
		s.edit("vec.cuh")
		s.wants(s.run(3, "occlint", "check", "build"), `saxpy\.o is stale: vec\.cuh changed since`)

		// The same without an edit of the Makefile.
		s.run(0, "make", "clean")
		s.run(0, "make", "-j8", "WRAP=", "NVCC=occlint wrap -- nvcc")
		s.wants(s.run(0, "occlint", "check", "."), `^3 kernels on sm_90: no findings$`)

		// And around the whole build.
		s.run(0, "make", "clean")
		out = s.run(0, "occlint", "run", "--", "make", "WRAP=")
		s.wants(out, `^3 kernels on sm_90: no findings$`)
		s.wants(s.run(3, "occlint", "run", "--", "make", "WRAP="), `say --partial`)
	})
}

func TestCMake(t *testing.T) {
	needs(t, "cmake")
	for generator, program := range map[string]string{"Ninja": "ninja", "Unix Makefiles": "make"} {
		t.Run(generator, func(t *testing.T) {
			needs(t, program)
			compilers(t, "cmake", func(s *site, isReal bool) {
				configure := []string{"cmake", "-S", ".", "-B", "build", "-G", generator}
				if !isReal {
					configure = append(configure, "--toolchain", "fakenvcc.cmake")
					s.env = append(s.env, "FAKENVCC_LOGS="+filepath.Join(s.dir, "src", "replay"))
				}
				s.run(0, configure...)
				out := s.run(0, "cmake", "--build", "build", "-j", "4")
				s.wantsNot(out, `nvlink info|ptxas info`)
				// Four compilations and the device link, in one directory under either generator.
				records, err := filepath.Glob(filepath.Join(s.dir, "build", ".occlint", "*.record"))
				if err != nil || len(records) != 5 {
					s.Errorf("%d records, want 5: %q, %v", len(records), records, err)
				}
				out = s.run(0, "occlint", "check", "build")
				s.wants(out, `^4 kernels on sm_90: 1 warning`)
				s.wants(out, `^warning: activate spills 8 bytes .*\[callee-spill\]$`)
				s.wants(out, `^  --> src/activation\.cu`)
				// With -rdc the linker's registers count: 35, where ptxas said 24.
				s.wants(s.run(0, "occlint", "show", "build"), `scale.*\b35\b`)

				s.edit("src/scale.cu")
				s.wants(s.run(3, "occlint", "check", "build"), `scale\.cu\.o is stale: src/scale\.cu changed since`)
				s.run(0, "cmake", "--build", "build")
				s.wants(s.run(0, "occlint", "check", "build"), `^4 kernels on sm_90: 1 warning`)

				// The build is judged from inside run too, whole.
				s.edit("src/gemm.cu")
				s.wants(s.run(0, "occlint", "run", "--", "cmake", "--build", "build"), `^4 kernels on sm_90: 1 warning`)

				// An object that is gone takes its record with it; its kernel is in the
				// device link still.
				if err := os.Remove(filepath.Join(s.dir, "build", "CMakeFiles", "kernels.dir", "src", "reduce.cu.o")); err != nil {
					s.Fatal(err)
				}
				s.wants(s.run(0, "occlint", "check", "build"), `1 record left out`)
			})
		})
	}
}

// TestCMakeCcache: the second build of the same sources comes out of the cache
// and has its records all the same.
func TestCMakeCcache(t *testing.T) {
	needs(t, "cmake", "ninja", "ccache")
	compilers(t, "cmake", func(s *site, isReal bool) {
		s.env = append(s.env, "CCACHE_DIR="+filepath.Join(s.TempDir(), "ccache"), "FAKENVCC_LOGS="+filepath.Join(s.dir, "src", "replay"))
		configure := []string{"cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_CUDA_COMPILER_LAUNCHER=occlint;wrap;--;ccache"}
		if !isReal {
			configure = append(configure, "--toolchain", "fakenvcc.cmake")
		}
		for range 2 {
			s.run(0, configure...)
			s.run(0, "cmake", "--build", "build")
			s.wants(s.run(0, "occlint", "check", "build"), `^4 kernels on sm_90: 1 warning`)
			if err := os.RemoveAll(filepath.Join(s.dir, "build")); err != nil {
				s.Fatal(err)
			}
		}
		// The statistics count one hit for each of the four sources.
		s.wants(s.run(0, "ccache", "-s"), `(?i)hits:? +4\b`)
	})
}

// TestRunCcache: an object that ccache stored without its resource usage is
// compiled again under occlint run, and comes back with it after that.
func TestRunCcache(t *testing.T) {
	needs(t, "ccache", "make")
	compilers(t, "make", func(s *site, _ bool) {
		s.env = append(s.env, "CCACHE_DIR="+filepath.Join(s.TempDir(), "ccache"))
		build := []string{"make", "WRAP=", "NVCC=ccache nvcc"}
		s.run(0, append(build, "build/libkernels.a")...)
		for range 2 {
			s.run(0, "make", "clean")
			out := s.run(0, append([]string{"occlint", "run", "--"}, append(build, "build/libkernels.a")...)...)
			s.wants(out, `^3 kernels on sm_90: no findings$`)
		}
		s.wants(s.run(0, "ccache", "-s"), `(?i)hits:? +3\b`)
	})
}

// TestGenerate runs the module as it is committed, so its go.mod must name what
// occlint needs today.
func TestGenerate(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	compilers(t, "generate", func(s *site, _ bool) {
		mod := filepath.Join(s.dir, "go.mod")
		text, err := os.ReadFile(mod)
		if err != nil {
			s.Fatal(err)
		}
		here := strings.Replace(string(text), "=> ../..", "=> "+filepath.ToSlash(root), 1)
		if err := os.WriteFile(mod, []byte(here), 0o644); err != nil {
			s.Fatal(err)
		}
		s.env = append(s.env, "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off")
		out := s.run(1, "go", "generate", "./...")
		s.wants(out, `^error: scan reaches 9 of 12 declared blocks per SM on sm_90 \[min-blocks\]$`)
		s.wants(out, `^  --> scan\.cu:3:\d+  __launch_bounds__\(128, 12\)$`)
		s.wants(out, `^scan\.go:\d+: running "go": exit status 1$`)
		s.wantsNot(out, `ptxas info`)
		if _, err := os.Stat(filepath.Join(s.dir, "cubin", "scan.cubin")); err != nil {
			s.Error(err)
		}
		// As the README says.
		source := filepath.Join(s.dir, "scan.cu")
		text, err = os.ReadFile(source)
		if err != nil {
			s.Fatal(err)
		}
		nine := strings.Replace(string(text), "(128, 12)", "(128, 9)", 1)
		if err := os.WriteFile(source, []byte(nine), 0o644); err != nil {
			s.Fatal(err)
		}
		s.wants(s.run(0, "go", "generate", "./..."), `^1 kernel on sm_90: no findings$`)
		s.run(0, "go", "vet", "./...")
	})
}
