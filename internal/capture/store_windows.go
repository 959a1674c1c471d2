package capture

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

const (
	objectSuffix  = ".obj"
	programOutput = "a.exe"
	libraryOutput = "a.lib"
)

// caseBlind says that paths which differ in case only are one file.
const caseBlind = true

// replace renames from to over a file that may exist, in one step. Windows
// refuses while somebody (a virus scanner, a reader of the records) has the
// old file open; that lasts for moments.
func replace(from, to string) error {
	const tries, pause = 20, 10 * time.Millisecond
	for i := 0; ; i++ {
		err := os.Rename(from, to)
		busy := errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED)
		if !busy || i == tries {
			return err
		}
		time.Sleep(pause)
	}
}
