// Package logtext makes plain lines of what a log is made of. In go the bytes
// of a build's log, in any encoding and behind whatever a terminal, a CI
// system, a container or a logger put in front of each line; out come UTF-8,
// lines without colours and markup, and where the wrapper in front ends.
//
// It knows nothing of compilers and their messages.
package logtext
