// Command copyfile copies a file to the null device: the least that a Go
// program which reads a log can do, to hold start-up times against.
package main

import (
	"io"
	"os"
)

func main() {
	in, err := os.Open(os.Args[1])
	if err != nil {
		os.Exit(1)
	}
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		os.Exit(1)
	}
	if _, err := io.Copy(out, in); err != nil {
		os.Exit(1)
	}
}
