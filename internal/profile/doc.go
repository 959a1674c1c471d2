// Package profile reads what profilers measured. In goes one report, in
// whatever form its tool writes: Nsight Compute's CSV pages, its text pages and
// its binary report, the Chrome trace of PyTorch's profiler, the CSV of Nsight
// Systems. Out come launches: which kernel ran, on what, how large, and the
// numbers that were measured of it, each in one unit whatever the report's was.
//
// Reports are input from outside: a reader keeps a bounded amount of one, says
// with its line what it can't use, and goes on with the rest. What a report
// doesn't have stays absent and never becomes 0.
//
// The package knows nothing of compilers' logs and judges nothing; package
// judge does.
package profile
