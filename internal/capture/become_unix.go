//go:build unix

package capture

import (
	"os"
	"os/exec"
	"syscall"
)

// become replaces this process with the command: nothing stands between it and
// its caller any more. It returns only when that fails.
func become(args, env []string, dir string) error {
	program, err := exec.LookPath(args[0])
	if err == nil {
		err = os.Chdir(dir)
	}
	if err == nil {
		err = syscall.Exec(program, args, env)
	}
	return &StartError{args[0], err}
}
