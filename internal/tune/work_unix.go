//go:build unix

package tune

import (
	"os"
	"os/exec"
	"syscall"
)

// endTogether makes the process the first of a group, and the group what is
// asked to end.
func endTogether(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

// killGroup ends what is left of a group.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

func exitCode(state *os.ProcessState) int {
	const signalled = 128
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return signalled + int(ws.Signal())
	}
	return state.ExitCode()
}
