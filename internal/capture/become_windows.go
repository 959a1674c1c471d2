package capture

import (
	"errors"
	"os/exec"
	"path/filepath"
)

// become is not to be had on Windows; the caller runs the command as a child.
func become(_, _ []string, _ string) error { return errors.ErrUnsupported }

// shell is for scripts that the kernel does not know; Windows runs none.
const shell = ""

func isScript(error) bool { return false }

// lookPath finds a program, but not in the working directory, where whoever
// wrote the project could have put one.
func lookPath(name string) (string, error) {
	if filepath.Base(name) != name {
		return name, nil
	}
	return exec.LookPath(name)
}
