// Command write writes a benchmark log to stdout, or the config that goes with
// it:
//
//	go run ./internal/biglog/write -shape distinct -bytes 213000000 >big.log
//	go run ./internal/biglog/write -config >big.yml
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/occlint/occlint/internal/biglog"
)

func main() {
	shape := flag.String("shape", string(biglog.Distinct), "distinct, repeated, timestamps or colours")
	size := flag.Int64("bytes", 213_000_000, "write at least so many bytes")
	ptxas := flag.String("ptxas", "testdata/ptxas", "folder with the real logs")
	config := flag.Bool("config", false, "write the config instead")
	flag.Parse()
	if *config {
		fmt.Print(biglog.Config())
		return
	}
	kernels, err := biglog.Write(os.Stdout, *ptxas, biglog.Shape(*shape), *size)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "%d kernels\n", kernels)
}
