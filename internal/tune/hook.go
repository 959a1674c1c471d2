package tune

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/ptx"
)

// header is a file to be included before a source. nvcc includes its own
// headers for every source, so the macros of kernels are there to be redefined
// once ours has included them; a second inclusion changes nothing.
//
// The attributes are the toolkit's own spelling for GCC and Clang as the host
// compiler (crt/host_defines.h); cl.exe has another.
func header(macros string) string {
	return `#if defined(__CUDACC__) && !defined(OCCLINT_TUNE)
#define OCCLINT_TUNE
#include <cuda_runtime.h>
#if defined(__GNUC__)
#undef __global__
#undef __launch_bounds__
#undef __maxnreg__
` + macros + `#endif
#endif
`
}

// everyKernel is the header that compiles each kernel of a source under the
// bounds of v and takes its own away. Macros and templates need no care, since
// no place has to be known. A cluster's largest size, the third launch bound,
// stays what it is for the kernel that is looked at.
func everyKernel(v Variant, clusterRank int) string {
	attribute := "__attribute__((global))"
	if v.Kind == Declared {
		attribute += " __attribute__((launch_bounds(" + arguments(v.Bounds, clusterRank) + ")))"
	}
	return header("#define __global__ " + attribute + "\n#define __launch_bounds__(...)\n#define __maxnreg__(...)\n")
}

// arguments are those of the launch_bounds attribute. A minimum of 0 is none.
func arguments(b Bounds, clusterRank int) string {
	list := []string{strconv.Itoa(b.Threads)}
	if b.MinBlocks > 0 || clusterRank > 0 {
		list = append(list, strconv.Itoa(b.MinBlocks))
	}
	if clusterRank > 0 {
		list = append(list, strconv.Itoa(clusterRank))
	}
	return strings.Join(list, ", ")
}

// carrier is the macro of a declaration that bounds are written into.
type carrier string

const (
	globalMacro  carrier = "__global__"        // of a kernel without bounds
	boundsMacro  carrier = "__launch_bounds__" // of one with them
	maxnregMacro carrier = "__maxnreg__"
)

// carrierOf is the macro that a kernel with these bounds has for certain.
func carrierOf(b Bounds) carrier {
	switch {
	case b.Registers > 0:
		return maxnregMacro
	case b.Threads > 0:
		return boundsMacro
	}
	return globalMacro
}

// lineProbe is the header that makes PTX tell on which line each kernel has
// the macro: as its minimum of blocks. PTX shows that number as it is, however
// large; nothing compiles it further.
func lineProbe(c carrier) string {
	line := fmt.Sprintf("__attribute__((launch_bounds(%d, __LINE__)))", probeThreads)
	macros := map[carrier]string{
		globalMacro:  "#define __global__ __attribute__((global)) " + line + "\n#define __launch_bounds__(...)\n#define __maxnreg__(...)\n",
		boundsMacro:  "#define __global__ __attribute__((global))\n#define __launch_bounds__(...) " + line + "\n#define __maxnreg__(...) __attribute__((maxnreg(__VA_ARGS__)))\n",
		maxnregMacro: "#define __global__ __attribute__((global))\n#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))\n#define __maxnreg__(...) " + line + "\n",
	}
	return header(macros[c])
}

// probeThreads marks, in the PTX of a lineProbe, the kernels that have the
// macro. Any size will do that a block can have.
const probeThreads = 1021

// oneLine is the header that gives the kernels whose macro c stands on one
// line the bounds of v, and leaves every other as it is. The preprocessor
// chooses: OCCLINT_AT_57 is defined for line 57 alone, and brings a comma that
// moves our text into the place of the second argument.
func oneLine(c carrier, line int, v Variant, clusterRank int) string {
	ours := ""
	if v.Kind == Declared {
		ours = "__attribute__((launch_bounds(" + arguments(v.Bounds, clusterRank) + ")))"
	}
	pick := func(m carrier, own string) string {
		if m != c {
			return own
		}
		return "OCCLINT_PICK(OCCLINT_JOIN(OCCLINT_AT_, __LINE__), " + own + ", )"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#define OCCLINT_AT_%d , %s\n", line, ours)
	b.WriteString("#define OCCLINT_SECOND(a, b, ...) b\n#define OCCLINT_PICK(...) OCCLINT_SECOND(__VA_ARGS__)\n")
	b.WriteString("#define OCCLINT_PASTE(a, b) a##b\n#define OCCLINT_JOIN(a, b) OCCLINT_PASTE(a, b)\n")
	b.WriteString("#define __global__ __attribute__((global)) " + pick(globalMacro, "") + "\n")
	b.WriteString("#define __launch_bounds__(...) " + pick(boundsMacro, "__attribute__((launch_bounds(__VA_ARGS__)))") + "\n")
	b.WriteString("#define __maxnreg__(...) " + pick(maxnregMacro, "__attribute__((maxnreg(__VA_ARGS__)))") + "\n")
	return header(b.String())
}

// HookError says that a variant was compiled and the kernel does not have the
// variant's bounds: the numbers would be of something else.
type HookError struct {
	Kernel    string // mangled
	Want, Got Bounds
	Missing   bool // the kernel is not in the compiled PTX
}

func (e *HookError) Error() string {
	got := "it has " + e.Got.String()
	if e.Missing {
		got = "it is not in the PTX that was compiled"
	}
	return "the bounds did not reach the kernel: " + e.Want.String() + " were asked for and " + got
}

// proveHook holds the PTX that was compiled against what a variant asked for.
func proveHook(entries []ptx.Entry, kernel string, v Variant) error {
	if v.Kind == AsWritten {
		return nil
	}
	want := v.Bounds
	for i := range entries {
		if entries[i].Name != kernel {
			continue
		}
		got := boundsOf(&entries[i])
		// The block of a Fixed kernel may stay so: what it caps is the same.
		want.Fixed = got.Fixed
		if got != want {
			return &HookError{Kernel: kernel, Want: v.Bounds, Got: got}
		}
		return nil
	}
	return &HookError{Kernel: kernel, Want: v.Bounds, Missing: true}
}
