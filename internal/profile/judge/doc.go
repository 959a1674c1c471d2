// Package judge joins what a profiler measured with what the compiler said,
// and gives each kernel one verdict. In go records of kernels and launches
// (package profile); out come kernels by launch shape, in order of time, each
// with its occupancy by our own arithmetic (package arch), a verdict with the
// numbers it rests on, and what is missing for a better one.
//
// The verdicts are tried in a fixed order and the first that holds counts.
// A test of saturation comes before any advice, since "no warp was ready"
// alone says nothing: a kernel with full issue slots is right as it is at
// 12.5 % occupancy, and one with bank conflicts gains nothing from warps.
package judge
