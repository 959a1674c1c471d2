// Command occlint judges what nvcc -Xptxas -v says about each kernel: see
// README.md, or run occlint --help.
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	// A reader of stdout that has seen enough (head, a pager) must cost neither
	// the other reports nor the verdict: writes fail with EPIPE instead.
	signal.Ignore(syscall.SIGPIPE)
	a := &app{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv, Environ: os.Environ, Dir: dir}
	os.Exit(a.Run(os.Args[1:]))
}

// catchBrokenPipes is for commands that start others: those would inherit an
// ignored SIGPIPE. To catch it takes threads, which the rest does without.
func catchBrokenPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
