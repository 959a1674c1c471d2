// Package source reads what CUDA C++ and PTX declare about their kernels.
//
// In go files: CUDA C++ as people write it, and PTX as nvcc prints it. Out
// come kernels with their launch bounds, register caps, budgets from
// comments, and the place of each, for a mangled name and an architecture of a
// log.
//
// It is no compiler. It preprocesses and reads declarations, and what it
// can't be sure of (a macro that only the build knows, a constant of a header
// that is not there, a template argument of the wrong kind) comes out as
// unresolved with a place and a reason. It never returns a number that
// another build configuration could contradict.
package source
