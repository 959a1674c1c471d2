// Package tune compiles one kernel under other launch bounds and says what
// each would give. In goes a compiler command line or a PTX file, a pattern of
// kernels and what is known of their launches; out come, for each kernel, rows
// of registers, spills and resident blocks, and the rows that no other row
// beats in both blocks and spills.
//
// It runs the compiler and, when asked to, the user's own benchmark; all that
// they write for it goes into one temporary directory. It never says which
// bound is best: only a measured time can.
//
// The rooms: plan.go has the variants worth compiling, hook.go the header that
// makes a source compile under other bounds, and the proof that it did,
// source.go and ptx.go the two ways to compile a variant, work.go the
// temporary directory and the processes, run.go the order of it all,
// frontier.go the comparison, time.go the benchmark; the rest writes results.
package tune
