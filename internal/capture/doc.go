// Package capture gets complete logs out of builds. In goes a command (a
// build, or one compiler call) or a directory of records that earlier compiler
// calls left; out comes a parse.Log.
//
// Three things stand between a build and its log. A pipe hides the exit code,
// so Session runs the command itself. Parallel jobs shuffle their lines, and
// an incremental build prints only what it compiled, so Wrap captures one
// compiler call apart from all others and keeps a record for each output; Load
// reads the records of a whole build back.
//
// Whatever happens here, the compiler's result stays as it is: its exit code,
// its outputs and its messages.
package capture
