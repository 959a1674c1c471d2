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
}

func (t tally) less(o tally) tally {
	return tally{t.functions - o.functions, t.insts - o.insts, t.targets - o.targets, t.lines - o.lines, t.depths - o.depths, t.deeper - o.deeper, t.wrong - o.wrong}
}

func (t tally) String() string {
	return fmt.Sprintf("%d functions, %d instructions, %d targets, %d lines of accesses, %d wrong; depths of %d instructions, %d different",
		t.functions, t.insts, t.targets, t.lines, t.wrong, t.depths, t.deeper)
}
