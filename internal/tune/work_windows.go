//go:build windows

package tune

import (
	"os"
	"os/exec"
)

// endTogether leaves the process as it is: Windows has no process groups to
// end, and nvcc's children end with their pipes.
func endTogether(*exec.Cmd) {}

func killGroup(*exec.Cmd) {}

func exitCode(state *os.ProcessState) int { return state.ExitCode() }
