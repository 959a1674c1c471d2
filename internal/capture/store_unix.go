//go:build !windows

package capture

import "os"

const (
	objectSuffix  = ".o"
	programOutput = "a.out"
	libraryOutput = "a.a"
)

// caseBlind says that paths which differ in case only are one file.
const caseBlind = false

// replace renames from to over a file that may exist, in one step.
func replace(from, to string) error { return os.Rename(from, to) }
