package source

import (
	"strconv"
	"strings"
)

// target is the architecture that an answer is for.
type target struct {
	name   string // "sm_90a"
	number int64  // __CUDA_ARCH__: 900
	suffix string // "a", "f" or ""
}

// parseTarget reads an architecture's name. ok is false for a name that says
// no number, and __CUDA_ARCH__ is then unknown.
func parseTarget(name string) (target, bool) {
	t := target{name: name}
	digits, found := strings.CutPrefix(name, "sm_")
	if !found {
		digits, found = strings.CutPrefix(name, "compute_")
	}
	if !found {
		return t, false
	}
	digits = strings.TrimRight(digits, "af")
	t.suffix = name[strings.LastIndex(name, digits)+len(digits):]
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n < 10 {
		return t, false
	}
	t.number = int64(n) * 10
	return t, true
}

// archMacro reports whether the architecture alone decides whether a macro is
// defined.
func archMacro(name string) bool {
	return strings.HasPrefix(name, "__CUDA_ARCH_FEAT_SM") && strings.HasSuffix(name, "_ALL") ||
		name == "__CUDA_ARCH_SPECIFIC__" || name == "__CUDA_ARCH_FAMILY_SPECIFIC__"
}

// defines says whether nvcc defines an archMacro for t.
func (t target) defines(name string) bool {
	switch name {
	case "__CUDA_ARCH_SPECIFIC__":
		return t.suffix == "a"
	case "__CUDA_ARCH_FAMILY_SPECIFIC__":
		return t.suffix != ""
	}
	digits := strings.TrimSuffix(strings.TrimPrefix(name, "__CUDA_ARCH_FEAT_SM"), "_ALL")
	return t.suffix == "a" && digits+"0" == strconv.FormatInt(t.number, 10)
}

// predefined says what nvcc's device pass makes of a macro: yes and no are
// certain, unknown is what the build or the toolkit decides.
func predefined(name string) verdict {
	for _, amd := range []string{"__gfx", "__GFX", "__AMD", "__HIP"} {
		// HIP on nvcc says so with __HIP_PLATFORM_NVIDIA__ (before: _NVCC__).
		if strings.HasPrefix(name, amd) && !strings.HasPrefix(name, "__HIP_PLATFORM_NV") {
			return no
		}
	}
	switch name {
	case "__CUDACC__", "__CUDA_ARCH__", "__cplusplus", "__CUDACC_VER_MAJOR__", "__CUDACC_VER_MINOR__":
		return yes
	case "__SYCL_DEVICE_ONLY__", "SYCL_LANGUAGE_VERSION", "__OPENCL_VERSION__",
		// What editors and checkers define when they read a file by themselves.
		"__INTELLISENSE__", "__CDT_PARSER__", "__JETBRAINS_IDE__", "__CLION_IDE__", "__RESHARPER__", "Q_CREATOR_RUN",
		"__COVERITY__", "__cppcheck__", "__clang_analyzer__", "__DOXYGEN__", "DOXYGEN_SHOULD_SKIP_THIS":
		return no
	}
	return unknown
}

// world is one way in which the conditions of a source file can come out.
type world struct {
	target  target
	known   bool // the target's number
	assumed map[*formula]bool
	need    *formula // the first atom that decide did not know
	steps   int
}

// decide is a formula's atom in this world.
func (w *world) decide(f *formula) verdict {
	if v, ok := w.assumed[f]; ok {
		return verdictOf(v)
	}
	if f.op != 'a' {
		return unknown
	}
	if toks := f.atom.arch; toks != nil && w.known {
		if len(toks) == 1 && archMacro(toks[0].text) {
			return verdictOf(w.target.defines(toks[0].text))
		}
		if v, fail := evaluate(toks, archNames{w.target}, f.atom.pos); fail == nil {
			return verdictOf(v.n != 0)
		}
	}
	if w.need == nil {
		w.need = f
	}
	return unknown
}

// holds decides a list of guards. A failure asks for a condition.
func (w *world) holds(guards []*guard) (bool, *failure) {
	for _, g := range guards {
		for ; g != nil; g = g.parent {
			w.need = nil
			v := g.f.eval(w.decide)
			if v == unknown {
				return false, &failure{need: w.need, pos: g.f.place(), reason: "it depends on " + g.f.String()}
			}
			if (v == yes) != g.want {
				return false, nil
			}
		}
	}
	return true, nil
}

// assume takes guards for granted, as far as they are atoms: the kernel is in
// the log, so its branch was compiled.
func (w *world) assume(guards []*guard) {
	for _, g := range guards {
		for ; g != nil; g = g.parent {
			if g.f.op == 'a' && g.f.atom.arch == nil {
				w.assumed[g.f] = g.want
			}
		}
	}
}

// archNames is what a condition of the preprocessor can name.
type archNames struct{ target target }

func (n archNames) name(e *evaluator) (value, *failure) {
	t := e.peek()
	e.i++
	if t.text == "__CUDA_ARCH__" {
		return value{n: n.target.number, wide: true}, nil
	}
	return value{}, failing(t.pos, t.text, " is not known here")
}

func (archNames) cast(_ []token, v value, _ pos) (value, bool, *failure) { return v, false, nil }

func (archNames) sizeOf(_ []token, p pos) (value, *failure) {
	return value{}, failing(p, "sizeof means nothing to the preprocessor")
}
