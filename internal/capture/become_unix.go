//go:build unix

package capture

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
)

// become replaces this process with the command: nothing stands between it and
// its caller any more. It returns only when that fails.
func become(args, env []string, dir string) error {
	program, err := lookPath(args[0])
	if err == nil {
		err = os.Chdir(dir)
	}
	if err == nil {
		err = syscall.Exec(program, args, env)
	}
	if isScript(err) {
		err = syscall.Exec(shell, slices.Concat([]string{shell, program}, args[1:]), env)
	}
	return &StartError{args[0], err}
}

// shell runs a script that does not say by what, as each shell does.
const shell = "/bin/sh"

// isScript reports whether a program that can be executed is none that the
// kernel knows.
func isScript(err error) bool { return errors.Is(err, syscall.ENOEXEC) }

// lookPath finds a program as a shell does: also by a relative entry of PATH.
// A name with a slash is a path.
func lookPath(name string) (string, error) {
	if filepath.Base(name) != name {
		return name, nil
	}
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrDot) {
		err = nil
	}
	return path, err
}
