// Package name turns the names that a log prints into what a person reads and
// what a pattern matches: demangled, qualified, shortened, with the ids of
// internal linkage made stable. Strings come in and strings go out; names are
// untrusted, so every step is bounded in time and memory and never panics.
//
// Four spellings of one kernel:
//
//	mangled    _ZN3lin5saxpyIfEEviT_PKS1_PS1_
//	demangled  void lin::saxpy<float>(int, float, float const*, float*)
//	qualified  lin::saxpy<float>
//	family     lin::saxpy
package name
