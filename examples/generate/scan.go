// Package scan carries a CUDA kernel as a cubin. `go generate` compiles it, and
// fails when the kernel breaks what its source and .occlint.yml declare.
package scan

import "embed"

// go generate runs no shell, so no pipe: occlint runs the compiler itself.
//
//go:generate go tool occlint run --forward messages -- nvcc -arch=sm_90 -O3 -cubin -o cubin/scan.cubin scan.cu

// Cubins holds what go generate compiled.
//
//go:embed all:cubin
var Cubins embed.FS
