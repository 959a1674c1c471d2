package cubin_test

import (
	"os"
	"testing"

	"github.com/occlint/occlint/cubin"
)

// The virtual architecture is what the command in testdata/README.md names; in
// an image of -arch=sm_90 it is the real one.
func TestVirtualArchitecture(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, tt := range []struct {
		name             string
		data             []byte
		arch             string
		virtual, threads int
	}{
		{"12.4", read("halve-124-61-86.cubin"), "sm_86", 61, 128},
		{"13.0", read("halve-130-80-86.cubin"), "sm_86", 80, 128},
		{"12.4, the same", unpack(t, samples+"/features-124-sm_90a.cubin.gz"), "sm_90a", 90, 0},
		{"13.0, the same", unpack(t, samples+"/bounds-130-sm_90.cubin.gz"), "sm_90", 90, 0},
	} {
		f, err := cubin.Parse(tt.data)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if f.Arch != tt.arch || f.VirtualSM != tt.virtual {
			t.Errorf("%s: %s of virtual %d, want %s of %d", tt.name, f.Arch, f.VirtualSM, tt.arch, tt.virtual)
		}
		if n := f.Functions[0].MaxThreads.Threads(); tt.threads > 0 && n != int64(tt.threads) {
			t.Errorf("%s: %d threads, want %d, the bound of __CUDA_ARCH__ < 860", tt.name, n, tt.threads)
		}
	}
}
