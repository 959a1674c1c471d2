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

// InjectEnv returns env, as os.Environ gives it, with the flags added to
// NVCC_APPEND_FLAGS that are not in it yet.
func InjectEnv(env []string) []string {
	env = slices.Clone(env)
	at, value := -1, ""
	for i, e := range env {
		// The last one counts, as in exec.
		if name, v, ok := strings.Cut(e, "="); ok && name == appendFlags {
			at, value = i, v
		}
	}
	flags := strings.Fields(value)
	for _, f := range resourceFlags {
		if !slices.Contains(flags, f) {
			value = strings.TrimSpace(value + " " + f)
		}
	}
	if at < 0 {
		return append(env, appendFlags+"="+value)
	}
	env[at] = appendFlags + "=" + value
	return env
}
