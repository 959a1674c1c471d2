// Command nvcc stands in for the real one where no toolkit is installed: it
// replays logs that real compilers printed. Build it under that name, put its
// directory first in PATH, and the examples run as they are:
//
//	go build -o /tmp/fake/nvcc ./internal/fakenvcc/nvcc
//	PATH=/tmp/fake:$PATH make -C examples/make
package main

import (
	"os"

	"github.com/occlint/occlint/internal/fakenvcc"
)

func main() { os.Exit(fakenvcc.Main()) }
