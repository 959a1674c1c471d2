// Package msg recognises what compilers and build tools say. In go the lines of
// a log, one by one; out come messages: which one it is, which tool wrote it and
// the numbers and names in it.
//
// The Lexer finds a message wherever it stands in a line and rejoins what a
// terminal or an editor broke in two. The forms of the messages have files of
// their own, a file for each tool or kind. The package knows the words of the
// tools and nothing of records: to which kernel a line belongs is not its
// business.
package msg
