package tune

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/name"
)

// BenchmarkAllRows compiles all rows of a small unit, two at a time, and tells
// how many plain nvcc calls that takes as long as. It needs nvcc in PATH.
func BenchmarkAllRows(b *testing.B) {
	nvcc, err := exec.LookPath("nvcc")
	if err != nil {
		b.Skip("there is no nvcc")
	}
	dir := b.TempDir()
	source, err := os.ReadFile(filepath.Join("..", "..", "cmd", "occlint", "testdata", "tune", "stencil.cu"))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "stencil.cu"), source, 0o600); err != nil {
		b.Fatal(err)
	}
	command := []string{nvcc, "-arch=sm_90", "-c", "stencil.cu", "-o", "stencil.o"}
	v, _ := capture.NewInvocation(command, dir, os.Environ())
	pattern, err := name.CompilePattern("stencil")
	if err != nil {
		b.Fatal(err)
	}
	var plain, rows time.Duration
	for b.Loop() {
		began := time.Now()
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		plain += time.Since(began)

		began = time.Now()
		w, err := NewWorkspace()
		if err != nil {
			b.Fatal(err)
		}
		_, err = Run(b.Context(), w, &Request{
			Unit:    &Source{Invocation: v, File: "stencil.cu", Target: v.Targets()[0], Dir: dir, Env: os.Environ()},
			Pattern: pattern, Jobs: 2, Table: arch.Builtin(),
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		rows += time.Since(began)
	}
	b.ReportMetric(rows.Seconds()/plain.Seconds(), "compiles/op")
}
