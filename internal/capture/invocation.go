package capture

import (
	"slices"
	"strings"
)

// Invocation is one compiler call, understood, for who runs it again in
// another form: what it compiles, for which architectures, and its words
// without those that say where the results go.
type Invocation struct {
	c     *call
	words []string // of nvcc, response files and the environment's flags in their places
}

// Target is machine code for Real made through PTX for Virtual: sm_86 by
// compute_80. Virtual is empty where the command leaves it to the compiler.
type Target struct{ Virtual, Real string }

// NewInvocation reads a command line whose program may be nvcc, one of its
// wrappers, or either behind a launcher; ok is false for any other program. dir
// is where relative response files lie; env has the flags that nvcc adds to
// each command line. A response file that can't be read is named by Unread.
func NewInvocation(args []string, dir string, env []string) (v *Invocation, ok bool) {
	c, ok := understand(args, dir, env)
	if !ok || c.kind != nvcc && c.kind != nvccWrapper {
		return nil, false
	}
	r := &responses{dir: dir, kind: c.kind}
	return &Invocation{c, slices.Concat(
		r.expand(responseWords(lookup(env, prependFlags)), 0),
		r.expand(c.args, 0),
		r.expand(responseWords(lookup(env, appendFlags)), 0),
	)}, true
}

// WithoutFlags is env without the flags that nvcc would add to its command
// line: an Invocation's words have them.
func WithoutFlags(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		return strings.HasPrefix(e, appendFlags+"=") || strings.HasPrefix(e, prependFlags+"=")
	})
}

// AppendFlags returns env with flags added to those that nvcc adds behind its
// command line.
func AppendFlags(env []string, flags string) []string {
	value := strings.TrimSpace(lookup(env, appendFlags) + " " + flags)
	return append(slices.Clone(env), appendFlags+"="+value) // the last one counts, as in exec
}

// Unread is a response file that is there and can't be read; empty for none.
func (v *Invocation) Unread() string { return v.c.unread }

// Compiler is the compiler as the command line names it.
func (v *Invocation) Compiler() string { return v.c.compiler }

// Launcher are the words in front of the compiler: those of a compiler cache
// are left out, since what is compiled for a look only should fill nobody's
// cache.
func (v *Invocation) Launcher() []string {
	if v.c.cache() != "" {
		return nil
	}
	return slices.Clone(v.c.launcher)
}

// Sources are the inputs that ptxas would see, as the command line names them.
// A call that only links objects has none.
func (v *Invocation) Sources() []string { return v.c.deviceSources() }

// Relocatable reports whether the device code is linked later (-dc,
// -rdc=true): its registers are the linker's to settle.
func (v *Invocation) Relocatable() bool {
	return v.c.has("device-c") || v.c.last("relocatable-device-code") == "true"
}

// LinkTime reports whether machine code is made by the linker alone (-dlto).
func (v *Invocation) LinkTime() bool {
	return v.c.has("dlink-time-opt") || slices.ContainsFunc(v.c.archs(), func(a string) bool { return strings.HasPrefix(a, "lto_") })
}

// MaxRegisters is the value of -maxrregcount; empty for none.
func (v *Invocation) MaxRegisters() string { return v.c.last("maxrregcount") }

// Targets are the architectures that machine code is made for, in the
// command's order. sm_native, sm_all and sm_all-major stand for -arch=native
// and its like; there is none where the command names no architecture.
func (v *Invocation) Targets() []Target {
	var targets []Target
	add := func(virtual, code string) {
		code = strings.Trim(code, `[]"' `)
		t := Target{strings.Trim(virtual, `"' `), code}
		if strings.HasPrefix(code, "sm_") && !slices.Contains(targets, t) {
			targets = append(targets, t)
		}
	}
	arch, code := v.c.last("gpu-architecture"), v.c.all("gpu-code")
	for _, c := range code {
		add(virtualOf(arch), c)
	}
	if len(code) == 0 && arch != "" {
		add(virtualOf(arch), impliedCode(arch))
	}
	for _, o := range v.c.options {
		if o.known && o.name == "generate-code" {
			from, _, _ := strings.Cut(strings.TrimPrefix(strings.Trim(o.value, `"'`), "arch="), ",")
			for _, to := range generated(o.value) {
				add(from, to)
			}
		}
	}
	return targets
}

// virtualOf is the PTX that -arch asks for: compute_90 for sm_90.
func virtualOf(arch string) string {
	if n, ok := strings.CutPrefix(arch, "sm_"); ok {
		return "compute_" + n
	}
	if strings.HasPrefix(arch, "compute_") {
		return arch
	}
	return ""
}

// elsewhere are the options that say which results a call makes, where they go
// and for what they are made.
var elsewhere = []string{
	"output-file", "output-directory", "compile", "device-c", "device-w", "cubin", "fatbin", "ptx", "cuda", "lib", "link", "shared", "run",
	"relocatable-device-code", "gpu-architecture", "gpu-code", "generate-code", "resource-usage", "threads",
	"generate-dependencies-with-compile", "generate-nonsystem-dependencies-with-compile",
	"dependency-output", "dependency-target-name", "quote-dependency-target-name",
	"keep", "keep-dir", "time", "fdevice-time-trace", "library", "library-path", "linker-options", "archive-options", "nvlink-options", "run-args",
	"verbose", "optimization-info",
}

// notKnown are such options that no table above has: plain words of nvcc.
var notKnown = []string{"--clean-targets", "-MP", "--generate-dependency-targets"}

// Shape are the words that shape the device code: the command line without the
// compiler, the inputs, and all that says which results to make, where to put
// them and for which architecture.
func (v *Invocation) Shape() []string {
	var shape []string
	for words := v.words; len(words) > 0; {
		word, n := words[0], 1
		if strings.HasPrefix(word, "-") && word != "-" {
			var o option
			o, n = nextOption(words)
			switch {
			case o.known && slices.Contains(elsewhere, o.name), !o.known && slices.Contains(notKnown, o.name):
			case o.known && o.name == "ptxas-options":
				if left := slices.DeleteFunc(splitList(o.value), isVerbose); len(left) > 0 {
					shape = append(shape, "-Xptxas", strings.Join(left, ","))
				}
			case o.known && o.name == "compiler-options":
				if left := withoutDependencies(o.value); left != "" {
					shape = append(shape, "-Xcompiler", left)
				}
			default:
				shape = append(shape, words[:n]...)
			}
		}
		words = words[n:]
	}
	return shape
}

// withoutDependencies are the host compiler's options without those that make
// it write a dependency file: the host's preprocessor runs for a cubin too, and
// would overwrite the build's own file.
func withoutDependencies(list string) string {
	if !strings.Contains(list, "-M") {
		return list // as it was given, with whatever quotes
	}
	var left []string
	words := splitList(list)
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-MF", word == "-MT", word == "-MQ":
			i++ // and its value
		case strings.TrimSuffix(word, `\`) == "-Wp" && i+1 < len(words) && strings.HasPrefix(words[i+1], "-M"):
			i += 2 // -Wp\,-MD\,file: nvcc keeps commas that are escaped
		case word == "-MD", word == "-MMD", word == "-MP", word == "-MG",
			strings.HasPrefix(word, "-MF"), strings.HasPrefix(word, "-MT"), strings.HasPrefix(word, "-MQ"):
		default:
			left = append(left, word)
		}
	}
	return strings.Join(left, ",")
}
