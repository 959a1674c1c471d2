package binaries

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/occlint/occlint/parse"
)

// PTX declares bounds for the code that was made from it alone. In halve.cu,
// compute_80 has __launch_bounds__(128, 3) and compute_86 (256).
func TestEmbeddedPTXOfOtherCode(t *testing.T) {
	for _, tt := range []struct {
		file    string
		threads int64
		madeTo  []string // of the embedded PTX for sm_80; nil: it is not even read
	}{
		{"halve-124-mixed.fatbin", 256, nil},
		{"halve-124-one.fatbin", 128, []string{"sm_86"}},
	} {
		t.Run(tt.file, func(t *testing.T) {
			var r Reader
			if _, _, err := r.File(filepath.Join("testdata", tt.file), tt.file); err != nil {
				t.Fatal(err)
			}
			var log parse.Log
			r.AddTo(&log)
			kernels := find(&log, "halve")
			if len(kernels) != 1 || kernels[0].MaxThreads != parse.Some(tt.threads) || len(log.Faults) > 0 {
				t.Fatalf("%+v %v", kernels, log.Faults)
			}
			if tt.madeTo == nil {
				if len(r.PTX) > 0 {
					t.Errorf("PTX of no code was read: %+v", r.PTX)
				}
				return
			}
			if len(r.PTX) != 1 || !slices.Equal(r.PTX[0].For, tt.madeTo) || r.PTX[0].MaxThreads != 128 || r.PTX[0].MinBlocks != 3 {
				t.Errorf("%+v", r.PTX)
			}
		})
	}
}

// Of two files with PTX of one kernel, each goes with its own code.
func TestEmbeddedPTXOfTwoFiles(t *testing.T) {
	var r Reader
	for _, file := range []string{"halve-124-one.fatbin", "halve-124-mixed.fatbin"} {
		if _, _, err := r.File(filepath.Join("testdata", file), file); err != nil {
			t.Fatal(err)
		}
	}
	var log parse.Log
	r.AddTo(&log)
	if got := find(&log, "halve"); len(got) != 2 || len(r.PTX) != 1 {
		t.Errorf("%d records, %d entries of PTX; want 2 and 1", len(got), len(r.PTX))
	}
}
