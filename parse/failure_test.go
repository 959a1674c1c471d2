package parse_test

import (
	"strings"
	"testing"
)

// failed are lines as compilers, linkers, build tools and shells print them
// when they stop.
var failed = []string{
	// nvcc, its front end, gcc, clang, MSVC, nvfortran
	`bad.cu(1): error: identifier "undefined_thing" is undefined`,
	`bad.cu(1,12): error C2065: 'x': undeclared identifier`,
	`bad.cu(12): error #20: identifier "x" is undefined`,
	`C:\src\bad.cu(1): error : expected a ";"`,
	`C:\Program Files\app\bad.cu(1): error: expected a ";"`,
	`a.cu(3): catastrophic error: cannot open source file "b.h"`,
	`a.cu(3): catastrophic error #1696: cannot open source file "b.h"`,
	`a.cu(3): internal error: assertion failed at: "types.c", line 4`,
	`tmpxft_x.cpp3.i(0): Error: Const space overflowed`,
	`At end of source: error: expected a "}"`,
	`1 error detected in the compilation of "bad.cu".`,
	`2 errors detected in the compilation of "bad.cu".`,
	`1 catastrophic error detected in the compilation of "bad.cu".`,
	`bad.cu:12:3: error: use of undeclared identifier 'x'`,
	`/usr/include/x.h:12:10: fatal error: missing.h: No such file or directory`,
	`main.cpp:3: error: something`,
	`2 errors generated.`,
	`1 warning and 2 errors generated.`,
	`1 error generated when compiling for sm_80.`,
	`compilation terminated.`,
	`/tmp/x.s:12: Error: no such instruction: 'foo'`,
	`cc1plus: out of memory allocating 65536 bytes after a total of 1245184 bytes`,
	`cc1plus: fatal error: missing.cpp: No such file or directory`,
	`g++: internal compiler error: Killed (program cc1plus)`,
	`g++: fatal error: Killed signal terminated program cc1plus`,
	`nvcc error   : 'ptxas' died due to signal 11 (Invalid memory reference)`,
	`nvcc fatal   : Unsupported gpu architecture 'compute_35'`,
	`nvcc: error while loading shared libraries: libstdc++.so.6: cannot open shared object file: No such file or directory`,
	`NVFORTRAN-S-0034-Syntax error at or near identifier x (k.f90: 12)`,
	`NVC++-F-0004-Corrupt or old version of file`,
	`Error: Symbol 'x' at (1) has no IMPLICIT type`,
	`LLVM ERROR: Cannot select: intrinsic %llvm.nvvm.foo`,
	`PLEASE submit a bug report to https://github.com/llvm/llvm-project/issues/ and include the crash backtrace.`,
	`terminate called after throwing an instance of 'std::bad_alloc'`,
	`configure: error: CUDA not found`,
	// linkers
	`collect2: error: ld returned 1 exit status`,
	`clang++: error: linker command failed with exit code 1`,
	`/usr/bin/ld: cannot find -lcuda`,
	`/usr/bin/ld: cannot find -lcuda: No such file or directory`,
	`ld: library not found for -lcuda`,
	`ld.lld: error: undefined symbol: f`,
	`/usr/bin/ld: a.o: in function 'main': a.cu:(.text+0x12): undefined reference to 'f'`,
	`a.cu:(.text+0x12): undefined reference to 'f()'`,
	`a.cpp:12: undefined reference to 'f()'`,
	`LINK : fatal error LNK1104: cannot open file 'cudart.lib'`,
	`a.obj : error LNK2019: unresolved external symbol f`,
	// make, ninja, CMake, Bazel, MSBuild, scons, meson
	`make: *** [Makefile:2: all] Error 2`,
	`make: *** [all] Error 2`,
	`make: *** [all] Killed`,
	`make: *** Waiting for unfinished jobs....`,
	`make[2]: *** [CMakeFiles/app.dir/build.make:76: k.cu.o] Error 255`,
	`/usr/bin/make: *** [all] Error 1`,
	`mingw32-make.exe[1]: *** [all] Error 1`,
	`gmake: *** No rule to make target 'k.cu'.  Stop.`,
	`Makefile:3: *** missing separator.  Stop.`,
	`make[1]: Target 'all' not remade because of errors.`,
	`make: nvcc: No such file or directory`,
	`NMAKE : fatal error U1077: 'nvcc' : return code '0x2'`,
	`ninja: build stopped: subcommand failed.`,
	`ninja: error: loading 'build.ninja': No such file or directory`,
	`ninja: fatal: posix_spawn: Resource temporarily unavailable`,
	`FAILED: CMakeFiles/app.dir/k.cu.o`,
	`FAILED: [code=1] CMakeFiles/app.dir/k.cu.o`,
	`CMake Error at CMakeLists.txt:3 (project):`,
	`CMake Error: CMake was unable to find a build program corresponding to "Ninja".`,
	`-- Configuring incomplete, errors occurred!`,
	`ERROR: /w/gpu/BUILD:3:13: Compiling gpu/k.cu failed: (Exit 1): nvcc failed`,
	`ERROR: Build did NOT complete successfully`,
	`FAILED: Build did NOT complete successfully`,
	`Target //:a failed to build`,
	`C:\p\app.vcxproj(45,5): error MSB3721: The command exited with code 2.`,
	`MSBUILD : error MSB1009: Project file does not exist.`,
	`Build FAILED.`,
	`    1 Error(s)`,
	`scons: *** [k.o] Error 1`,
	`scons: building terminated because of errors.`,
	`meson.build:1:0: ERROR: Unknown compiler(s): [['nvcc']]`,
	`FAILURE: Build failed with an exception.`,
	// setuptools, pip, cargo, go
	`error: command '/usr/local/cuda/bin/nvcc' failed with exit code 1`,
	`error: subprocess-exited-with-error`,
	`ERROR: Could not build wheels for fast-attn, which is required to install pyproject.toml-based projects`,
	`ERROR: Failed building wheel for fast-attn`,
	`  × Building wheel for fast-attn (pyproject.toml) did not run successfully.`,
	`RuntimeError: Error compiling objects for extension`,
	`subprocess.CalledProcessError: Command '['ninja', '-v']' returned non-zero exit status 1.`,
	`Command ['nvcc'] returned non-zero exit status 1.`,
	`error: could not compile 'kernels' (build script)`,
	`error[E0425]: cannot find value 'x' in this scope`,
	`error: failed to run custom build command for 'kernels v0.3.1'`,
	`warning: build failed, waiting for other jobs to finish...`,
	`./main.go:5:2: undefined: x`,
	`./main.go:5:2: "os" imported and not used`,
	`FAIL	example.com/gpu [build failed]`,
	`exit status 1`,
	// docker and CI systems
	`ERROR: failed to solve: process "/bin/sh -c make" did not complete successfully: exit code: 2`,
	`failed to solve: rpc error: code = Unknown desc = executor failed running [/bin/sh -c make]: exit code: 2`,
	`The command '/bin/sh -c make' returned a non-zero code: 2`,
	`##[error]Process completed with exit code 2.`,
	`Error: Process completed with exit code 2.`,
	`::error file=k.cu,line=3::expected a ";"`,
	`ERROR: Job failed: exit code 1`,
	`The command "make" exited with 2.`,
	`Build step 'Execute shell' marked build as failure`,
	// shells
	`sh: 1: nvcc: not found`,
	`/bin/sh: 1: nvcc: not found`,
	`bash: nvcc: command not found`,
	`./build.sh: line 3: nvcc: command not found`,
	`bash: /usr/local/cuda/bin/nvcc: No such file or directory`,
	`bash: ./nvcc: Permission denied`,
	`env: 'nvcc': No such file or directory`,
	`zsh: command not found: nvcc`,
	`'nvcc' is not recognized as an internal or external command,`,
	`Killed`,
	`Aborted (core dumped)`,
	`Bus error (core dumped)`,
	`Segmentation fault (core dumped)`,
	`Segmentation fault`,
	`./build.sh: line 3:  1234 Segmentation fault      (core dumped) nvcc -c k.cu`,
	`tee: build.log: No space left on device`,
	// behind wrappers
	`2025-11-02T10:00:00.1234567Z make: *** [all] Error 2`,
	`2025-11-02T10:00:00.1234567Z ##[error]Process completed with exit code 2.`,
	"build (12.8)\tCompile\t2025-11-02T10:00:00.1234567Z collect2: error: ld returned 1 exit status",
	`[2025-11-02T10:00:00.123Z] collect2: error: ld returned 1 exit status`,
	`2025-11-02T10:00:00.123456Z 01O collect2: error: ld returned 1 exit status`,
	`#12 34.56 k.cu(3): error: expected a ";"`,
	`#12 34.56 Killed`,
	`service-a  | ninja: build stopped: subcommand failed.`,
	`service-a  | error: command 'nvcc' failed with exit code 1`,
	`(Worker pid=12) RuntimeError: Error compiling objects for extension`,
	`[kernels 0.3.1] collect2: error: ld returned 1 exit status`,
	`warning: kernels@0.3.1: collect2: error: ld returned 1 exit status`,
	`INFO:build:collect2: error: ld returned 1 exit status`,
	`12.50s: collect2: error: ld returned 1 exit status`,
	`1>collect2: error: ld returned 1 exit status`,
	`   12:error: command 'nvcc' failed with exit code 1`,
	`      error: command 'nvcc' failed with exit code 1`,
	`# make: *** [all] Error 2`,
	"\x1b[1mk.cu:3:1: \x1b[31merror: \x1b[0mexpected ';'",
}

// passed are lines that hold the same words and say nothing of the kind:
// source excerpts, notes, test output, prose, and what tools say that go on.
var passed = []string{
	`this avoids error : ptxas fatal`,
	`-- Looking for error_at_line - found`,
	`[ 12%] Building CUDA object src/error.cu.o`,
	`0 errors, 3 warnings`,
	`0 errors generated.`,
	`10 warnings generated.`,
	`Build succeeded. 0 Error(s)`,
	`    0 Error(s)`,
	`make: [clean] Error 1 (ignored)`,
	`make[1]: [Makefile:9: clean] Error 1 (ignored)`,
	`make[1]: Nothing to be done for 'all'.`,
	`warning: unused variable 'error' [-Wunused]`,
	`k.cu(12): warning #177-D: variable "error" was declared but never referenced`,
	`k.cu(12): warning #1-D: text: error: in a comment`,
	`  if (error) return; // error: see above`,
	`Error 255 is what make prints`,
	`ok: no error: all 12 tests passed`,
	`nvcc warning : The 'compute_35' architectures are deprecated`,
	// source excerpts of gcc and nvcc
	`   12 | error:`,
	`  3 | error: foo`,
	`   12 | // a.cu(3): error: foo`,
	`   12 |   printf("make: *** [all] Error 2");`,
	`   12 |   throw Error("k.cu:3: error: x");`,
	`      fprintf(stderr, "a.cu(3): error: foo\n");`,
	`    // k.cu(3): error: expected`,
	`      |   ^~~~~ error: here`,
	`+  error: foo`,
	// notes and levels of logging
	`note: error: something in a note`,
	`k.cu:3:1: note: error: something in a note`,
	`WARNING: error: x`,
	`INFO: *** hello`,
	`build: *** Starting build ***`,
	`*** Starting build ***`,
	`echo "a.cu(3): error: foo"`,
	`"a.cu(3): error: foo"`,
	`I0101 12:00:00.000000 123 foo.cc:12] error: none`,
	`1 warning detected in the compilation of "a.cu".`,
	`2 warnings detected in the compilation of "a.cu".`,
	`Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"`,
	// test output
	`[  PASSED  ] error: 0`,
	`[ RUN      ] Reader.error: cut`,
	`[       OK ] Parser: error: line 3 (0 ms)`,
	`error: 0`,
	`error: 1.2e-6`,
	`Error: 0.00001 (max 0.001)`,
	`max error: 0.25`,
	`L2 error: 1.5e-7`,
	`relative error : 0.01%`,
	`error: none`,
	// what goes on
	`sh: 1: git: not found`,
	`./configure: line 3: foo: command not found`,
	`which: no nvcc in (/usr/bin:/bin)`,
	`-- Performing Test HAVE_X - Failed`,
	`checking for cuda.h... not found`,
	`fatal: not a git repository (or any of the parent directories): .git`,
	`ERROR: pip's dependency resolver does not currently take into account all the packages that are installed.`,
	`/usr/bin/ld: skipping incompatible /usr/lib/libfoo.a when searching for -lfoo`,
	`/usr/bin/ld: warning: x.o: missing .note.GNU-stack section implies executable stack`,
	`The command "make" exited with 0.`,
	`exit status 0`,
	`cp: cannot stat 'x': No such file or directory`,
	`Killed 3 stale processes`,
	`Terminated workers: 0`,
	`Aborted transactions are retried`,
	`The process returned non-zero exit status if it fails`,
	`Compiling error.cu`,
	`./errors.go:5:2: note`,
	`Finished: SUCCESS`,
}

// TestFailures has the ways in which a build says that it stopped, and lines
// that only look like that.
func TestFailures(t *testing.T) {
	const whole = "ptxas info    : 0 bytes gmem\n"
	for _, line := range failed {
		if got := render(parseText(t, whole+line+"\n")); !strings.HasSuffix(got, "fault build-failed line 2\n") {
			t.Errorf("%q is not seen as a failure:\n%s", line, got)
		}
	}
	for _, line := range passed {
		if got := render(parseText(t, whole+line+"\n")); strings.Contains(got, "fault") {
			t.Errorf("%q is taken for a failure:\n%s", line, got)
		}
	}
}

// TestFailureBehindRemark has remarks of all kinds right above each line: no
// remark takes it for its rest.
func TestFailureBehindRemark(t *testing.T) {
	for _, remark := range []string{
		`nvlink warning : Skipping incompatible '/usr/lib/libfoo.a' when searching for -lfoo`,
		`nvlink warning : Prototype doesn't match for 'f' in 'a.o', first defined in 'b.o'`,
		`nvcc warning : incompatible redefinition for option 'compiler-bindir', the last value of this option was used`,
		`nvcc warning : Cannot find valid GPU for '-arch=native', default arch is used`,
		`nvcc warning : The 'compute_35', 'compute_37' architectures are deprecated, and may be removed in a future release`,
		`ptxas warning : Can't find foo`,
		`ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to`,
		`ptxas warning : Value of threads per SM for entry`,
		`ptxas info    : Function properties for`,
		`ptxas info    : Compiling entry function '_Z1k`,
		`ptxas info    : Used 10 registers,`,
		`ptxas info`,
		`nvlink`,
	} {
		for _, line := range failed {
			text := "ptxas info    : 0 bytes gmem\n" + remark + "\n" + line + "\n"
			if got := render(parseText(t, text)); !strings.Contains(got, "fault build-failed line ") {
				t.Errorf("behind %q, %q is not seen as a failure:\n%s", remark, line, got)
			}
		}
	}
}
