package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// callerFailed takes what the programs that call ptxas themselves say of its
// end: they print its lines as far as it came, and then none of make's or
// nvcc's.
//
//	ERROR: LoadError: Failed to compile PTX code (ptxas received signal 11)   Julia, ClangIR's JITs
//	PTXASError: PTXAS error: `ptxas` raised SIGSEGV                           Triton
//	… INTERNAL: ptxas exited with non-zero error code 139, output:            XLA: TensorFlow, JAX
func callerFailed(t []byte) bool {
	for at := 0; ; {
		i := bytes.Index(t[at:], []byte("ptxas"))
		if i < 0 {
			return false
		}
		at += i + len("ptxas")
		rest := t[at:]
		if len(rest) > 0 && rest[0] == '`' {
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0] == ' ' && ptxasEnded(rest[1:]) {
			return true
		}
	}
}

// ptxasEnded judges what is said of ptxas.
func ptxasEnded(said []byte) bool {
	for _, s := range [...]string{
		"received signal ", "exited with non-zero error code", "raised SIG", "returned an error during compilation",
		"terminated by signal ", "was killed by signal ", "crashed",
	} {
		if scan.HasAt(said, 0, s) {
			return true
		}
	}
	for _, s := range [...]string{"exited with code ", "failed with error code ", "exited with status ", "returned error code "} {
		if scan.HasAt(said, 0, s) {
			n := bytes.TrimPrefix(said[len(s):], []byte("-"))
			code, _, ok := scan.Decimal(n, 0)
			return ok && code > 0
		}
	}
	return false
}

// driverFailed takes the NVHPC drivers, which name the program that failed
// behind their own name, and the compiler's release where it gives up itself:
//
//	nvfortran-Fatal-/opt/hpc/tools/fort2 TERMINATED by signal 11
//	NVC++/x86-64 Linux 23.5-0: compilation aborted
func driverFailed(t []byte) bool {
	i := bytes.IndexByte(t, '-')
	if i > 0 && scan.HasAt(t, i, "-Fatal-") {
		return isNvhpc(t[:i])
	}
	i = bytes.IndexByte(t, '/')
	return i > 0 && isNvhpc(t[:i]) && bytes.Contains(t[i:], []byte(": compilation aborted"))
}

// isNvhpc recognises the compilers of the HPC SDK and of PGI before it, their
// driver's passes and their capital names.
func isNvhpc(program []byte) bool {
	switch string(bytes.ToLower(program)) {
	case "nvc", "nvc++", "nvfortran", "nvdd", "nvvmc", "nvlink", "acc2", "fort1", "fort2", "cpp1", "cpp2",
		"pgcc", "pgc++", "pgf77", "pgf90", "pgf95", "pgfortran", "pgdd", "pgcpp":
		return true
	}
	return false
}

// behindMarks takes off what Spack, uv and pip put in front of a line: the
// number of a line of the build's log, marked where it is an error, and the
// branches of a tree of causes.
func behindMarks(t []byte) []byte {
	if rest := bytes.TrimPrefix(t, []byte(">> ")); len(rest) < len(t) {
		rest = bytes.TrimLeft(rest, " ")
		if _, end, ok := scan.Decimal(rest, 0); ok && scan.HasAt(rest, end, " ") {
			return bytes.TrimLeft(rest[end:], " ")
		}
	}
	for _, branch := range [...]string{"×", "╰─▶", "├─▶", "╰─>", "│"} {
		if rest := bytes.TrimPrefix(t, []byte(branch)); len(rest) < len(t) {
			return bytes.TrimLeft(rest, " ")
		}
	}
	return t
}
