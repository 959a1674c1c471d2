//go:build !windows

package term

// escapes reports whether the terminal understands escape sequences: all of
// them do where TERM is not dumb.
func escapes(int) bool { return true }
