// Package report writes what was found. In go a parsed log and the verdict on
// it; out comes one of the formats, each in its own file. It decides nothing:
// what is a finding and how bad it is, is settled before.
//
// Names and log text come from outside. Each format escapes them as its reader
// needs, in the one function that writes them.
package report
