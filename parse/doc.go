// Package parse reads what ptxas -v and its relatives print. In goes the log
// of a build, byte for byte as the build wrote it; out come compilations,
// kernels, device functions and remarks, each with the file and line that
// stated it.
//
// The package knows the compiler's words and nothing of GPUs: a field is what
// the log says, and a field that the log does not state is absent, which is
// not the same as 0.
package parse
