package capture

import (
	"path/filepath"
	"slices"
	"strings"
)

// action is how far an nvcc call goes, as far as device code is concerned.
type action uint8

const (
	// stopsEarly prints something or ends before ptxas: nothing to record.
	stopsEarly action = iota
	compiles          // one object, cubin or fatbin for each input
	deviceLinks
	links
	archives
)

// call is one compiler's command line, understood.
type call struct {
	launcher []string // what stands before the compiler: ccache
	compiler string
	kind     compilerKind
	args     []string // after the compiler, as given

	// options and inputs are those that nvcc sees: with response files read,
	// and with the flags that the environment adds.
	options []option
	inputs  []string
	given   []option // those of the command line alone
	unread  string   // a response file that can't be read ahead of nvcc; empty: none
	action  action
	suffix  string // of each output without -o
}

// understand reads a command line whose program may be a compiler of CUDA, or
// a compiler cache in front of it. ok is false for every other program: ar,
// ranlib, c++ and cmake -E come through CMake's launcher rules too. dir is
// where relative response files lie; env has the flags that nvcc adds to each
// command line.
func understand(args []string, dir string, env []string) (c *call, ok bool) {
	at := compilerIndex(args)
	if at < 0 {
		return nil, false
	}
	c = &call{launcher: args[:at], compiler: args[at], kind: kindOf(args[at]), args: args[at+1:]}
	r := &responses{dir: dir, kind: c.kind}
	given := r.expand(c.args, 0)
	switch c.kind {
	case unknownCompiler:
		return nil, false
	case clang:
		c.options, c.inputs = clangOptions(given)
		c.given = c.options
	case nvcc, nvccWrapper:
		before := r.expand(responseWords(lookup(env, prependFlags)), 0)
		after := r.expand(responseWords(lookup(env, appendFlags)), 0)
		c.options, c.inputs = options(slices.Concat(before, given, after))
		c.given, _ = options(given)
	}
	c.unread = r.unread
	c.decide()
	// Clang compiles far more than CUDA.
	return c, c.kind != clang || c.action == compiles || c.action == links && len(c.deviceSources()) > 0
}

// programName is the base name of a program without ".exe".
func programName(path string) string {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	if ext := len(base) - len(".exe"); ext > 0 && strings.EqualFold(base[ext:], ".exe") {
		base = base[:ext]
	}
	return base
}

// cache names the compiler cache that runs the compiler; empty for none.
func (c *call) cache() string {
	for _, w := range c.launcher {
		if name := programName(w); slices.Contains([]string{"ccache", "sccache", "buildcache"}, name) {
			return name
		}
	}
	return ""
}

// step names the action in a record.
func (c *call) step() string {
	return [...]string{stopsEarly: "none", compiles: "compile", deviceLinks: "device-link", links: "link", archives: "archive"}[c.action]
}

// options reads the words of a command line.
func options(words []string) (opts []option, inputs []string) {
	for len(words) > 0 {
		word := words[0]
		if !strings.HasPrefix(word, "-") || word == "-" {
			inputs = append(inputs, word)
			words = words[1:]
			continue
		}
		o, n := nextOption(words)
		opts = append(opts, o)
		words = words[n:]
	}
	return opts, inputs
}

// has reports whether any of the options is given.
func (c *call) has(names ...string) bool {
	return slices.ContainsFunc(c.options, func(o option) bool { return o.known && slices.Contains(names, o.name) })
}

// last returns the value of the last such option.
func (c *call) last(name string) string {
	for _, o := range slices.Backward(c.options) {
		if o.known && o.name == name {
			return o.value
		}
	}
	return ""
}

// all returns the values of every such option, lists split at commas.
func (c *call) all(name string) []string { return values(c.options, name) }

func values(options []option, name string) []string {
	var values []string
	for _, o := range options {
		if o.known && o.name == name {
			values = append(values, splitList(o.value)...)
		}
	}
	return values
}

// splitList splits the value of an -X option: at commas and, since nvcc hands
// it on as words, at blanks.
func splitList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' })
}

// decide finds out what the call does. Where nvcc knows several such options
// in one call it refuses them, so their order does not matter.
func (c *call) decide() {
	switch {
	case len(c.inputs) == 0,
		c.has("help", "version", "dryrun", "clean-targets", "list-gpu-arch", "list-gpu-code"),
		c.has("preprocess", "generate-dependencies", "generate-nonsystem-dependencies"),
		c.has("cuda", "ptx", "optix-ir", "ltoir", "fdevice-syntax-only"):
		c.action = stopsEarly
	case c.has("device-link"):
		// Also with -cubin or -fatbin, which say what the linked code goes into.
		c.action, c.suffix = deviceLinks, objectSuffix
		for _, form := range []string{"cubin", "fatbin"} {
			if c.has(form) {
				c.suffix = "." + form
			}
		}
	case c.has("cubin"):
		c.action, c.suffix = compiles, ".cubin"
	case c.has("fatbin"):
		c.action, c.suffix = compiles, ".fatbin"
	case c.has("compile", "device-c", "device-w"):
		c.action, c.suffix = compiles, objectSuffix
	case c.has("lib"):
		c.action = archives
	default:
		c.action = links
	}
	// A host source and an archive of objects meet neither ptxas nor nvlink.
	if (c.action == compiles || c.action == archives) && len(c.deviceSources()) == 0 {
		c.action = stopsEarly
	}
}

// deviceSources are the inputs that ptxas will see.
func (c *call) deviceSources() []string {
	if c.last("x") == "cu" {
		return c.inputs
	}
	if c.last("x") != "" {
		return nil
	}
	var sources []string
	for _, in := range c.inputs {
		switch strings.ToLower(filepath.Ext(in)) {
		case ".cu", ".gpu", ".ptx", ".cup":
			sources = append(sources, in)
		case ".cpp", ".cxx", ".cc", ".c", ".c++":
			// The wrapper compiles C++ as CUDA; of .c and .C only the latter is C++.
			if c.kind == nvccWrapper && filepath.Ext(in) != ".c" && !slices.Contains(c.args, "--host-only") {
				sources = append(sources, in)
			}
		}
	}
	return sources
}

// outputs are the files that the call makes, as nvcc names them.
func (c *call) outputs() []string {
	if o := c.last("output-file"); o != "" {
		return []string{o}
	}
	dir := c.last("output-directory")
	switch c.action {
	case compiles:
		var outs []string
		for _, in := range c.inputs {
			base := filepath.Base(in)
			outs = append(outs, filepath.Join(dir, strings.TrimSuffix(base, filepath.Ext(base))+c.suffix))
		}
		return outs
	case deviceLinks:
		return []string{filepath.Join(dir, "a_dlink"+c.suffix)}
	case links:
		return []string{filepath.Join(dir, programOutput)}
	case archives:
		return []string{filepath.Join(dir, libraryOutput)}
	case stopsEarly:
	}
	return nil
}

// flags are the options that change the kernels, in their order, without the
// request to print resource usage.
func (c *call) flags() []string {
	var flags []string
	for _, o := range c.options {
		if !o.known || !slices.Contains(shaping, o.name) {
			continue
		}
		if o.value == "" {
			flags = append(flags, "--"+o.name)
			continue
		}
		value := o.value
		if strings.HasSuffix(o.name, "-options") {
			value = strings.Join(slices.DeleteFunc(splitList(value), isVerbose), ",")
		}
		if value != "" {
			flags = append(flags, "--"+o.name+"="+value)
		}
	}
	return flags
}

// shaping are the options that flags keeps.
var shaping = []string{
	"gpu-architecture", "gpu-code", "generate-code", "maxrregcount",
	"relocatable-device-code", "device-c", "device-w", "dlink-time-opt", "extensible-whole-program",
	"ptxas-options", "nvlink-options", "nvvm-options",
	"device-debug", "dopt", "optimize", "use_fast_math", "fmad", "ftz", "prec-div", "prec-sqrt",
	"extra-device-vectorization", "keep-device-functions",
	"define-macro", "undefine-macro", "std",
}

func isVerbose(w string) bool { return w == "-v" || w == "--verbose" }

// depFile is where the call writes the headers it read; empty for nowhere.
func (c *call) depFile() string {
	if !c.has("generate-dependencies-with-compile", "generate-nonsystem-dependencies-with-compile") {
		return ""
	}
	if f := c.last("dependency-output"); f != "" {
		return f
	}
	if outs := c.outputs(); len(outs) == 1 {
		return strings.TrimSuffix(outs[0], filepath.Ext(outs[0])) + ".d"
	}
	return ""
}

// verbose reports which of ptxas and nvlink the command line tells to print
// resource usage. What the environment adds does not count: caches don't see it.
func (c *call) verbose() (ptxas, nvlink bool) {
	ptxas = slices.ContainsFunc(c.given, func(o option) bool { return o.known && o.name == "resource-usage" }) ||
		slices.ContainsFunc(values(c.given, "ptxas-options"), isVerbose)
	nvlink = slices.ContainsFunc(values(c.given, "nvlink-options"), isVerbose)
	return ptxas, nvlink
}

// injected is the whole command line with the flags added that are missing.
// They stand right behind the compiler: at the end they could become the value
// of an option that lacks one. They stand on the command line because compiler
// caches hash that, and not NVCC_APPEND_FLAGS.
func (c *call) injected() []string {
	ptxas, nvlink := c.verbose()
	words := slices.Concat(c.launcher, []string{c.compiler})
	if !ptxas {
		words = append(words, c.kind.ptxasVerbose()...)
	}
	if !nvlink && c.action != compiles {
		words = append(words, c.kind.nvlinkVerbose()...)
	}
	return append(words, c.args...)
}

// expectsRecords reports whether ptxas must run, so that output without a
// resource line means that somebody swallowed it.
func (c *call) expectsRecords() bool {
	return c.action == compiles && len(c.deviceSources()) > 0 && !c.has("dlink-time-opt") &&
		slices.ContainsFunc(c.archs(), func(a string) bool { return strings.HasPrefix(a, "sm_") })
}

// archs are the architectures that machine code or PTX is made for: sm_90,
// compute_90.
func (c *call) archs() []string {
	var archs []string
	add := func(a string) {
		if a = strings.Trim(a, `[]"' `); a != "" && !slices.Contains(archs, a) {
			archs = append(archs, a)
		}
	}
	arch, code := c.last("gpu-architecture"), c.all("gpu-code")
	for _, a := range code {
		add(a)
	}
	if len(code) == 0 {
		add(impliedCode(arch))
	}
	for _, o := range c.options {
		if o.name == "generate-code" {
			for _, a := range generated(o.value) {
				add(a)
			}
		}
	}
	if len(archs) == 0 {
		return []string{"sm_default"}
	}
	return archs
}

// impliedCode is what -arch alone makes: machine code for sm_90, and only PTX
// for compute_90.
func impliedCode(arch string) string {
	switch arch {
	case "native", "all", "all-major":
		return "sm_" + arch
	}
	return arch
}

// generated reads -gencode arch=compute_90,code=[sm_90,compute_90].
func generated(spec string) []string {
	_, code, ok := strings.Cut(spec, "code=")
	if !ok {
		return nil
	}
	return strings.Split(strings.Trim(code, `"'`), ",")
}
