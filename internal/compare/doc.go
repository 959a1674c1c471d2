// Package compare sets today beside another day. In go the verdicts on two
// logs, or one verdict and the list of what was accepted before; out come the
// changes of each kernel, sorted by what got worse, and the text of the baseline
// file.
//
// A number that one side does not state is unknown, and never a change from or
// to 0.
package compare
