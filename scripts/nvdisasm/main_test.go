package main

import (
	"path/filepath"
	"testing"

	"github.com/occlint/occlint/internal/where"
)

// What was written down of nvdisasm's text for some images must be what is read
// of them. The depths that differ are all of the recursive fib, whose call of
// itself nvdisasm draws as an edge.
func TestAgainstDisassembler(t *testing.T) {
	for _, test := range []struct {
		name                              string
		functions, targets, lines, deeper int
	}{
		{"places-124-sm_50", 11, 255, 1263, 0},
		{"places-130-sm_100", 11, 337, 1408, 0},
		{"varied-124-sm_80", 60, 444, 3352, 20},
	} {
		var got tally
		if err := got.file(filepath.Join("..", "..", "testdata", "cubin", test.name)); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if got.wrong != 0 || got.functions != test.functions || got.targets != test.targets || got.lines != test.lines || got.deeper != test.deeper {
			t.Errorf("%s: %s", test.name, got)
		}
		if got.off != [3]int{} || got.bytes[where.Exact] == 0 {
			t.Errorf("%s: bytes of spills differ from the log's: %s", test.name, got)
		}
	}
}
