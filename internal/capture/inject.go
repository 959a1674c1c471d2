package capture

import (
	"slices"
	"strings"
)

// The variables whose flags every nvcc adds to its command line, behind and in
// front of it, whatever build system calls it.
const (
	appendFlags  = "NVCC_APPEND_FLAGS"
	prependFlags = "NVCC_PREPEND_FLAGS"
)

// resourceFlags make ptxas and nvlink print resource usage. Without the second
// a device link prints no record, and the numbers of -rdc builds that count
// are the linker's.
var resourceFlags = [...]string{"-Xptxas=-v", "-Xnvlink=-v"}

// Compiler caches in front of nvcc do not see NVCC_APPEND_FLAGS (ccache to this
// day, sccache up to 0.8), so they take a call with the flags for one without,
// and return objects whose resource usage nobody printed. A value of these in
// the hash keeps the two apart: ccache's namespace of the cache, and the text
// that sccache's manual has for such cases. Objects that were stored under it
// come back with their resource usage.
const (
	ccacheNamespace = "CCACHE_NAMESPACE"
	sccacheBuster   = "SCCACHE_C_CUSTOM_CACHE_BUSTER"
	cacheMark       = "occlint-run"
)

// InjectEnv returns env, as os.Environ gives it, with the flags added to
// NVCC_APPEND_FLAGS that are not in it yet. Compiler caches are made to keep what they store apart from what they stored before.
func InjectEnv(env []string) []string {
	before := lookup(env, appendFlags)
	flags, value := strings.Fields(before), before
	for _, f := range resourceFlags {
		if !slices.Contains(flags, f) {
			value = strings.TrimSpace(value + " " + f)
		}
	}
	env = slices.Clone(env)
	for _, v := range []string{ccacheNamespace, sccacheBuster} {
		mark := cacheMark
		if own := lookup(env, v); strings.HasSuffix(own, cacheMark) {
			mark = own
		} else if own != "" {
			mark = own + "-" + mark
		}
		env = setEnv(env, v, mark)
	}
	if value == before {
		return env
	}
	return setEnv(env, appendFlags, value)
}

// setEnv sets a variable of an environment in place, where it is set: the last
// one counts, as in exec.
func setEnv(env []string, name, value string) []string {
	for i, e := range slices.Backward(env) {
		if n, _, ok := strings.Cut(e, "="); ok && n == name {
			env[i] = name + "=" + value
			return env
		}
	}
	return append(env, name+"="+value)
}
