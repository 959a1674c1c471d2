package msg

import (
	"bytes"
	"sync"

	"github.com/occlint/occlint/parse/internal/scan"
)

// A failureForm is how a line begins, behind a wrapper, by which a tool says
// that it stopped. rest judges what follows.
type failureForm struct {
	begin string
	rest  func(rest []byte) bool
}

func always([]byte) bool { return true }

func nothing(rest []byte) bool { return len(bytes.TrimSpace(rest)) == 0 }

// has returns a judge that wants one of the words.
func has(words ...string) func([]byte) bool {
	return func(rest []byte) bool {
		for _, w := range words {
			if bytes.Contains(rest, []byte(w)) {
				return true
			}
		}
		return false
	}
}

// dead takes the end of a shell's line about a program that a signal ended.
func dead(rest []byte) bool { return nothing(rest) || scan.HasAt(rest, 0, " (core dumped)") }

var failureForms = [...]failureForm{
	// ninja, Bazel, CMake, scons, meson
	{"FAILED: ", always},
	{"CMake Error", always},
	{"-- Configuring incomplete", always},
	{"scons: building terminated", always},
	{"Target //", has(" failed to build")},
	{"ERROR: ", has("Build did NOT complete", " failed: (", "Analysis of target", " failed to build", "no such target", "no such package")},
	// MSBuild, Gradle, Jenkins
	{"Build FAILED", always},
	{"BUILD FAILED", always},
	{"FAILURE: Build failed", always},
	{"Build step '", has("marked build as failure")},
	{"Finished: FAILURE", nothing},
	// pip and setuptools
	{"ERROR: ", has("Could not build wheels", "Failed building wheel", "Failed to build", "Command errored out", "subprocess-exited-with-error",
		"metadata-generation-failed", "legacy-install-failure", "Could not find a version", "No matching distribution")},
	{"Failed to build ", always},
	{"note: This error originates from a subprocess", always},
	{"RuntimeError: Error compiling objects for extension", always},
	{"RuntimeError: Error building extension", always},
	{"subprocess.CalledProcessError: ", always},
	{"distutils.errors.", has("Error: ")},
	{"Failed to build `", always}, // uv
	{"Call to `", has("` failed (exit status: ", "` failed (signal: ")},
	{"The build backend returned an error", always},
	// Spack
	{"==> Error: ", has("ProcessError", "InstallError", "FetchError", "build failed")},
	// what JITs of Python and Julia raise when ptxas or NVRTC fail
	{"cupy.cuda.compiler.CompileException: ", always},
	{"cupy_backends.cuda.libs.nvrtc.NVRTCError: ", always},
	{"numba.cuda.cudadrv.", has("LinkerError: ", "NvvmError: ", "NvrtcError: ", "CudaAPIError: ")},
	{"NVRTC_ERROR_COMPILATION", always},
	{"nvrtc: error: ", always},
	{"RuntimeError: Compilation error:", always}, // TVM
	{"tvm.", has("InternalError: ", "TVMError: ")},
	{"triton.", has("PTXASError: ", "CompilationError: ")},
	{"RuntimeError: Internal Triton PTX codegen error", always},
	{"Internal Triton PTX codegen error", always},
	// docker and CI systems
	{"ERROR: ", has("failed to solve", "Job failed", "executor failed", "Service '")},
	{"failed to solve: ", always},
	{"executor failed running", always},
	{"##[error]", always},
	{"::error", func(rest []byte) bool { return len(rest) > 0 && (rest[0] == ':' || rest[0] == ' ') }},
	{"Error: Process completed with exit code", always},
	{"The command \"", func(rest []byte) bool { return exited(rest, "\" exited with ") }},
	// cargo and go
	{"warning: build failed, waiting for other jobs to finish", always},
	{"FAIL\t", has("[build failed]")},
	{"exit status ", func(rest []byte) bool { n, end, ok := scan.Decimal(rest, 0); return ok && n > 0 && nothing(rest[end:]) }},
	// compilers and linkers
	{"compilation terminated.", nothing},
	{"NVFORTRAN-", severe}, {"NVC++-", severe}, {"NVC-", severe}, {"PGCC-", severe}, {"PGF90-", severe},
	{"LLVM ERROR: ", always},
	{"virtual memory exhausted", always},
	{"terminate called after throwing", always},
	{"terminate called without an active exception", always},
	{"PLEASE submit a bug report", always},
	// shells
	{"Killed", dead}, {"Terminated", dead}, {"Aborted", dead}, {"Bus error", dead}, {"Segmentation fault", dead},
	{"Illegal instruction", dead}, {"Floating point exception", dead}, {"Trace/breakpoint trap", dead},
	{"Abort trap: 6", dead}, {"Segmentation fault: 11", dead}, {"Killed: 9", dead},
	{"zsh: command not found: ", buildsWith},
	{"'", func(rest []byte) bool {
		i := bytes.Index(rest, []byte("' is not recognized as an internal or external command"))
		return i > 0 && buildsWith(rest[:i])
	}},
}

// exited reports a number other than 0 behind words.
func exited(rest []byte, words string) bool {
	i := bytes.Index(rest, []byte(words))
	if i < 0 {
		return false
	}
	n, _, ok := scan.Decimal(rest, i+len(words))
	return ok && n > 0
}

// severe reads the letter of nvfortran's and nvc's messages: S is an error and
// F a fatal one, `NVFORTRAN-S-0034-Syntax error at or near …`.
func severe(rest []byte) bool { return scan.HasAt(rest, 0, "S-") || scan.HasAt(rest, 0, "F-") }

// formsByFirst has the forms by their first byte.
var formsByFirst = sync.OnceValue(func() *[256][]failureForm {
	var by [256][]failureForm
	for _, f := range failureForms {
		by[f.begin[0]] = append(by[f.begin[0]], f)
	}
	return &by
})

// formFailed looks t up among the forms, and for the words that say the same
// further inside.
func formFailed(t []byte) bool {
	for _, f := range formsByFirst()[t[0]] {
		if scan.HasAt(t, 0, f.begin) && f.rest(t[len(f.begin):]) {
			return true
		}
	}
	return t[0]-'0' < 10 && countFailed(t) || statusFailed(t) || colonFailed(t)
}

// countFailed takes `2 errors detected in the compilation of "k.cu".`, `1
// warning and 2 errors generated.`, `1 Error(s)`.
func countFailed(t []byte) bool {
	if i := bytes.Index(t, []byte(" Error(s)")); i > 0 && nothing(t[i+len(" Error(s)"):]) {
		return counted(t[:i])
	}
	i := bytes.Index(t, []byte(" error"))
	if i < 0 {
		if i = bytes.Index(t, []byte(" catastrophic error")); i < 0 {
			return false
		}
	}
	if !counted(bytes.TrimSuffix(t[:i], []byte(" catastrophic"))) {
		return false
	}
	after := bytes.TrimPrefix(t[i+len(" error"):], []byte("s"))
	return scan.HasAt(after, 0, " generated") || bytes.Contains(after, []byte(" detected in the compilation of "))
}

// statusFailed takes what Python, docker and pip say of a command that failed.
func statusFailed(t []byte) bool {
	return anyBehind(t, " returned ", func(rest []byte) bool {
		for _, s := range [...]string{"non-zero exit status ", "a non-zero code: "} {
			if scan.HasAt(rest, 0, s) {
				n, _, ok := scan.Decimal(rest, len(s))
				return ok && n > 0
			}
		}
		return false
	}) || anyBehind(t, " did not ", func(rest []byte) bool {
		return scan.HasAt(rest, 0, "complete successfully: exit code") || scan.HasAt(rest, 0, "run successfully.")
	})
}

// anyBehind asks holds of what stands behind each occurrence of words.
func anyBehind(t []byte, words string, holds func(rest []byte) bool) bool {
	for {
		i := bytes.Index(t, []byte(words))
		if i < 0 {
			return false
		}
		if t = t[i+len(words):]; holds(t) {
			return true
		}
	}
}
