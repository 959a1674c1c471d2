package container

import (
	"os"
	"testing"

	"github.com/occlint/occlint/cubin"
)

// BenchmarkLibrary reads the images of the library that OCCLINT_LIBRARY names,
// and says how many functions they have.
func BenchmarkLibrary(b *testing.B) {
	path := os.Getenv("OCCLINT_LIBRARY")
	if path == "" {
		b.Skip("OCCLINT_LIBRARY names no library")
	}
	for b.Loop() {
		f, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		found, faults, _ := Read(f, f.Size(), func(e Entry, data []byte) int {
			if e.Kind != Cubin {
				return 0
			}
			image, err := cubin.Parse(data)
			if err != nil {
				b.Error(err)
				return 0
			}
			return len(image.Functions)
		}, Code)
		functions := 0
		for _, e := range found {
			functions += e.Value
		}
		if len(faults) > 0 || functions == 0 {
			b.Fatalf("%d functions, faults %v", functions, faults)
		}
		b.ReportMetric(float64(functions), "functions")
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
