// Package parse reads what ptxas -v and its relatives print. In goes the log
// of a build, byte for byte as the build wrote it; out come compilations,
// kernels, device functions and remarks, each with the file and line that
// stated it, and faults: what makes the log untrustworthy.
//
// The package knows the compiler's words and nothing of GPUs: a field is what
// the log says, and a field that the log does not state is absent, which is
// not the same as 0.
//
// It has two parts. The lexer recognises the messages inside lines: a tool, a
// severity, a colon and a text, wherever they stand, so that no wrapper needs
// to be known by name. The assembler assigns messages to records. The lines
// that hold the numbers carry no name, so in a log that several jobs wrote to
// it gives a line to a record only when no other can own it, and marks the
// rest (Interleaved). A record with a defect is kept and must not be judged as
// clean.
//
// Read reads a log, and Log.Read one more into the same Log. They take any
// encoding that logs come in: UTF-8, UTF-16 of either order, gzip.
// docs/log-forms.md lists every form of log and the test that proves it is
// understood.
package parse
