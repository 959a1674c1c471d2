// Command nvdisasm compares what occlint reads out of cubins with the text that
// NVIDIA's disassembler writes for them.
//
//	go run ./scripts/nvdisasm CUBIN...
//
// Beside each CUBIN must lie, with the same name but for the ending, the output
// of `nvdisasm -c -g` (.g) and may lie that of `nvdisasm -c -bbcfg -poff`
// (.bbcfg). It prints a line per file and one per difference, and fails on any
// difference of positions, kinds, guards, targets, addresses or lines.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/occlint/occlint/internal/where"
)

func main() {
	var t tally
	for _, path := range os.Args[1:] {
		before := t
		if err := t.file(strings.TrimSuffix(path, ".cubin")); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", path, err)
			t.wrong++
		}
		fmt.Printf("%s: %s\n", path, t.less(before))
	}
	fmt.Printf("all: %s\n", t)
	if t.wrong > 0 {
		os.Exit(1)
	}
}

// tally counts what was compared.
type tally struct {
	functions, insts, targets, lines int
	depths, deeper                   int
	wrong                            int
	// Functions by where.Certainty, those whose bytes differ from the log's,
	// and those that differ by more than 8.
	bytes, off, far [3]int
}

func (t tally) less(o tally) tally {
	for i := range t.bytes {
		t.bytes[i], t.off[i], t.far[i] = t.bytes[i]-o.bytes[i], t.off[i]-o.off[i], t.far[i]-o.far[i]
	}
	return tally{t.functions - o.functions, t.insts - o.insts, t.targets - o.targets, t.lines - o.lines, t.depths - o.depths, t.deeper - o.deeper, t.wrong - o.wrong, t.bytes, t.off, t.far}
}

func (t tally) String() string {
	return fmt.Sprintf("%d functions, %d instructions, %d targets, %d lines of accesses, %d wrong; depths of %d instructions, %d different; spill bytes exact in %d functions (%d differ), about in %d (%d differ, %d by more than 8), not told in %d",
		t.functions, t.insts, t.targets, t.lines, t.wrong, t.depths, t.deeper,
		t.bytes[where.Exact], t.off[where.Exact], t.bytes[where.About], t.off[where.About], t.far[where.About], t.bytes[where.Unknown])
}
