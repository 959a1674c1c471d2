// Package config reads .occlint.yml. In goes a file; out comes a typed Config
// in which every value knows its line and column, or every problem that the
// file has, each with its place, an excerpt and, where one can be guessed, a
// suggestion. Reading is strict: what is not understood is an error, because a
// gate that skips a misspelt line is not where its team thinks it is.
//
// The package knows nothing of rules and architectures beyond the shape of
// their names; the caller passes the names it has (see Known).
package config
