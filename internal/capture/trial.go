package capture

import (
	"path/filepath"
	"slices"
	"strings"
)

// trialDirs are directories in which build systems compile to find out what
// the compiler can do. Nothing of it is part of the build.
var trialDirs = []string{
	"meson-private", // meson: the sanity check, and each compiler.compiles()
	"CMakeScratch",  // CMake 3.25 and later: try_compile
	"CMakeTmp",      // CMake before that
	"CompilerIdCUDA",
	".sconf_temp", // SCons: Configure()
	"config.tests",
}

// trialSources begin the names of sources that are made for such a trial in
// the directory of the build.
var trialSources = []string{
	"conftest.", "conftest_", // autoconf, SCons
	"_configtest.",        // distutils
	"detect_cuda_compute", // FindCUDA and its copies
}

// isTrial reports whether a call that runs in dir is a build system's own
// question to the compiler.
func (c *call) isTrial(dir string) bool {
	paths := append([]string{dir}, c.inputs...)
	if o := c.last("output-file"); o != "" {
		paths = append(paths, o)
	}
	return slices.ContainsFunc(c.inputs, func(in string) bool {
		base := filepath.Base(in)
		return slices.ContainsFunc(trialSources, func(s string) bool { return strings.HasPrefix(base, s) })
	}) || slices.ContainsFunc(paths, inTrialDir)
}

// inTrialDir reports whether a path leads through a directory of trials.
func inTrialDir(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), isTrialDir)
}

func isTrialDir(name string) bool {
	return slices.Contains(trialDirs, name) || strings.HasPrefix(name, ".conf_check_") // waf
}
