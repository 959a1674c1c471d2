package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// widenPipe makes room in a pipe for as much as an unprivileged program may
// ask for: then the two ends wait for each other a sixteenth as often. Where
// it is no pipe, or the system has no room, nothing is lost.
func widenPipe(r io.Reader) {
	if f, ok := r.(*os.File); ok {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETPIPE_SZ, 1<<20)
	}
}
