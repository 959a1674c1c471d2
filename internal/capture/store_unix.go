//go:build !windows

package capture

import "os"

const (
	objectSuffix  = ".o"
	programOutput = "a.out"
	libraryOutput = "a.a"
)

// replace renames from to over a file that may exist, in one step.
func replace(from, to string) error { return os.Rename(from, to) }
