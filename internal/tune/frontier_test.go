package tune

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
)

// row is one of 256 threads on sm_90.
func row(t *testing.T, minBlocks, registers, stores, loads int, code string) Row {
	t.Helper()
	r := Row{
		Variant: Variant{Declared, Bounds{Threads: 256, MinBlocks: minBlocks}}, Threads: 256,
		Numbers: Numbers{Registers: registers, SpillStoreBytes: stores, SpillLoadBytes: loads, LoopSpillBytes: -1, code: code},
	}
	r.Occupancy = lookup(t, "sm_90").Occupancy(arch.Launch{Threads: 256, Registers: registers})
	return r
}

func (t *Table) frontier() []string {
	var list []string
	for i := range t.Rows {
		if t.Rows[i].Frontier {
			list = append(list, t.Rows[i].Name())
		}
	}
	return list
}

// Blocks by hand, 65,536 registers on sm_90: 96 registers 2 blocks of 256, 80
// 3, 64 4, 48 5, 40 6, 32 8.
func TestCompare(t *testing.T) {
	tests := []struct {
		reason    string
		rows      []Row
		frontier  []string
		sentences []string
	}{
		{
			"each step costs more",
			[]Row{row(t, 1, 96, 0, 0, "a"), row(t, 2, 96, 0, 0, "a"), row(t, 3, 80, 20, 20, "b"), row(t, 4, 64, 212, 212, "c"), row(t, 5, 48, 900, 0, "d")},
			[]string{"256,1", "256,3", "256,4", "256,5"},
			[]string{"the last step without a spill is (256, 2): 96 registers, 2 blocks, 25 %", "(256, 3) gains 1 block for 20 + 20 bytes of spills"},
		},
		{
			"a step that spills more for no more blocks is beaten, and so is one with fewer blocks",
			[]Row{row(t, 1, 56, 0, 0, "a"), row(t, 5, 48, 0, 0, "b"), row(t, 6, 40, 0, 0, "c"), row(t, 7, 40, 4, 4, "d")},
			[]string{"256,6"},
			[]string{"the last step without a spill is (256, 6): 40 registers, 6 blocks, 75 %", "no row with spills has more blocks"},
		},
		{
			"of two that tie, more registers",
			[]Row{row(t, 5, 42, 0, 0, "a"), row(t, 6, 48, 0, 0, "b")},
			[]string{"256,6"},
			[]string{"the last step without a spill is (256, 6): 48 registers, 5 blocks, 62.5 %"},
		},
		{
			"everything spills",
			[]Row{row(t, 7, 32, 40, 60, "a"), row(t, 4, 64, 8, 12, "b")},
			[]string{"256,7", "256,4"},
			[]string{"every row spills; the fewest bytes are those of (256, 4): 64 registers, 4 blocks, 50 %, 8 stored and 12 loaded"},
		},
		{
			"code that is not known is never the same",
			[]Row{row(t, 1, 96, 0, 0, ""), row(t, 2, 96, 0, 0, "")},
			[]string{"256,1"},
			[]string{"the last step without a spill is (256, 1): 96 registers, 2 blocks, 25 %"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			table := &Table{Rows: tt.rows}
			table.compare()
			if diff := cmp.Diff(tt.frontier, table.frontier()); diff != "" {
				t.Errorf("frontier (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.sentences, table.Sentences()); diff != "" {
				t.Errorf("sentences (-want +got):\n%s", diff)
			}
		})
	}
}

// A row that was refused, and one that no block fits of, are on no frontier.
func TestCompareRefused(t *testing.T) {
	refused := row(t, 7, 32, 0, 0, "a")
	refused.Error = "ptxas error"
	huge := row(t, 1, 255, 0, 0, "b")
	huge.Occupancy = lookup(t, "sm_90").Occupancy(arch.Launch{Threads: 256, Registers: 255, SharedBytes: 1 << 20})
	table := &Table{Rows: []Row{refused, huge}}
	table.compare()
	if got := table.frontier(); got != nil {
		t.Errorf("frontier %v", got)
	}
	if got := table.Sentences(); len(got) != 1 || got[0] != "no block fits on an SM under any of these bounds" {
		t.Errorf("sentences %q", got)
	}
}

func TestSingleBlockCosts(t *testing.T) {
	alone := row(t, 0, 31, 0, 0, "a")
	today := row(t, 1, 39, 0, 0, "b")
	today.Kind = AsWritten
	table := &Table{Today: Bounds{Threads: 256, MinBlocks: 1}, Rows: []Row{today, alone}}
	// 31 registers: 1024 a warp, 16 warps in each of four partitions, 8 blocks;
	// 39: 1280 a warp, 12 warps, 6 blocks.
	if from, to, ok := table.SingleBlockCosts(); !ok || from != 6 || to != 8 {
		t.Errorf("got %d, %d, %v", from, to, ok)
	}
	table.Rows[1].SpillStoreBytes = 4
	if _, _, ok := table.SingleBlockCosts(); ok {
		t.Error("more spills are no gain")
	}
}
