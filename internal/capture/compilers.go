package capture

import (
	"slices"
	"strings"
)

// compilerKind tells the compilers whose calls are understood.
type compilerKind uint8

const (
	unknownCompiler compilerKind = iota
	nvcc
	// nvccWrapper is the script of Kokkos and Trilinos: nvcc that compiles C++
	// files as CUDA, and hands what it does not know to the host compiler.
	nvccWrapper
	clang
)

// kindOf knows a compiler by its name: nvcc, also nvcc-12.4 and
// x86_64-linux-nvcc, nvcc_wrapper, clang and clang++, also clang++-18.
func kindOf(path string) compilerKind {
	name := strings.ToLower(programName(path))
	switch {
	case name == "nvcc_wrapper":
		return nvccWrapper
	case strings.HasSuffix(name, "nvcc"), strings.HasPrefix(name, "nvcc-"):
		return nvcc
	}
	// Behind the version, which may be 18 or 18.1.
	base := strings.TrimRight(name, "0123456789.")
	if base != name {
		base = strings.TrimSuffix(base, "-")
	}
	for _, c := range []string{"clang", "clang++"} {
		if base == c || strings.HasSuffix(base, "-"+c) {
			return clang
		}
	}
	return unknownCompiler
}

// ptxasVerbose are the words that make ptxas print resource usage.
func (k compilerKind) ptxasVerbose() []string {
	switch k {
	case clang:
		return []string{"-Xcuda-ptxas", "-v"}
	case nvccWrapper:
		return []string{"-Xptxas", "-v"}
	default:
		return []string{resourceFlags[0]}
	}
}

// nvlinkVerbose are the words that make nvlink print resource usage; none where
// the compiler has no way to ask. The wrapper takes an option that is glued to
// its value for one of the host compiler's.
func (k compilerKind) nvlinkVerbose() []string {
	switch k {
	case clang:
		return nil
	case nvccWrapper:
		return []string{"-Xnvlink", "-v"}
	default:
		return []string{resourceFlags[1]}
	}
}

// launchers are the programs that run the command that follows them, each with
// its options that take the next word for their value.
var launchers = map[string][]string{
	"ccache": nil, "sccache": nil, "buildcache": nil, "distcc": nil, "icecc": nil,
	"env":    {"-u", "--unset", "-C", "--chdir"},
	"time":   {"-f", "--format", "-o", "--output"},
	"nice":   {"-n", "--adjustment"},
	"ionice": {"-c", "--class", "-n", "--classdata"},
}

// compilerIndex finds the program that compiles: the first word, or the first
// one behind compiler caches and the like, their options and VAR=value. It is
// -1 where there is none; whether it is a compiler, its kind tells.
func compilerIndex(args []string) int {
	var withValue []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		options, launches := launchers[programName(a)]
		switch {
		case kindOf(a) != unknownCompiler:
			return i
		case launches:
			withValue = options
		case i == 0:
			return 0
		case slices.Contains(withValue, a):
			i++
		case !strings.HasPrefix(a, "-") && !strings.Contains(a, "="):
			return i
		}
	}
	return -1
}
