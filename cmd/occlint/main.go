// Command occlint judges what nvcc -Xptxas -v says about each kernel: see
// README.md, or run occlint --help.
package main

import "os"

func main() {
	dir, err := os.Getwd()
	if err != nil {
		dir = "."
	}
	a := &app{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: os.Getenv, Dir: dir}
	os.Exit(a.Run(os.Args[1:]))
}
