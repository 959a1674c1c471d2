package arch_test

import (
	"math"
	"testing"

	"github.com/occlint/occlint/arch"
)

func TestWorkedByHand(t *testing.T) {
	tests := []struct {
		name    string
		arch    string
		launch  arch.Launch
		blocks  int
		warps   int
		percent float64
		limits  [5]int
		limited string
	}{
		{
			// 8 warps a block. 40×32 = 1280 registers a warp: 16384/1280 = 12
			// warps in each of 4 parts, 48 warps, 6 blocks. Shared: 16384+1024
			// = 17408, 233472/17408 = 13.4.
			"256 threads, 40 registers, 16 KiB", "sm_90",
			arch.Launch{Threads: 256, Registers: 40, SharedBytes: 16384, Barriers: arch.Unknown},
			6, 48, 75, [5]int{8, 32, 6, 13, -1}, "registers",
		},
		{
			// 4 warps a block. 168×32 = 5376: 3 warps in each part, 12 warps, 3
			// blocks. Shared: 98304+1024 = 99328, 233472/99328 = 2.35.
			"128 threads, 168 registers, 96 KiB", "sm_90",
			arch.Launch{Threads: 128, Registers: 168, SharedBytes: 98304, Barriers: arch.Unknown},
			2, 8, 12.5, [5]int{16, 32, 3, 2, -1}, "shared",
		},
		{
			// 64/16 barriers = 4 blocks, whatever else.
			"16 barriers", "sm_90",
			arch.Launch{Threads: 128, Registers: 16, Barriers: 16},
			4, 16, 25, [5]int{16, 32, 32, 228, 4}, "barriers",
		},
		{
			// 2 warps a block: 64/2 = 32 = block slots; 32×32 = 1024 registers a
			// warp: 16 in each part, 64 warps, 32 blocks. Three tie.
			"a tie of three", "sm_90",
			arch.Launch{Threads: 64, Registers: 32, Barriers: 1},
			32, 64, 100, [5]int{32, 32, 32, 228, 64}, "warps, blocks, registers",
		},
		{
			// 33 threads are two warps; 33 registers are 1056, allocated 1280.
			"partial warp", "sm_80",
			arch.Launch{Threads: 33, Registers: 33, Barriers: 16},
			24, 48, 75, [5]int{32, 32, 24, 164, -1}, "registers",
		},
		{
			// 65 registers are allocated as 72: 2304 a warp, 7 in each of two
			// parts of 32768 would be 14 and are 14.2: 28 warps, 3 blocks of 8.
			"two partitions", "sm_60",
			arch.Launch{Threads: 256, Registers: 65},
			3, 24, 37.5, [5]int{8, 32, 3, -1, -1}, "registers",
		},
		{
			// 17 warps count as 20: 20×3328 = 66560 is above 65536, though
			// 17×3328 = 56576 is not.
			"registers above the limit per block", "sm_90",
			arch.Launch{Threads: 544, Registers: 104},
			0, 0, 0, [5]int{3, 32, 0, 228, -1}, "registers",
		},
		{
			"no threads", "sm_90", arch.Launch{Registers: 32},
			0, 0, 0, [5]int{0, 32, -1, 228, -1}, "warps",
		},
		{
			"too many threads", "sm_90", arch.Launch{Threads: 1025, Registers: 16},
			0, 0, 0, [5]int{0, 32, 3, 228, -1}, "warps",
		},
		{
			"more shared memory than a block can have", "sm_90",
			arch.Launch{Threads: 32, Registers: 16, SharedBytes: 227*1024 + 1},
			0, 0, 0, [5]int{64, 32, 128, 0, -1}, "shared",
		},
		{
			"all the shared memory a block can have", "sm_90",
			arch.Launch{Threads: 32, Registers: 16, SharedBytes: 227 * 1024},
			1, 1, 100.0 / 64, [5]int{64, 32, 128, 1, -1}, "shared",
		},
		{
			"more barriers than a block can name", "sm_80",
			arch.Launch{Threads: 32, Registers: 16, Barriers: 17},
			0, 0, 0, [5]int{64, 32, 128, 164, 0}, "barriers",
		},
		{
			"more registers than a thread can have", "sm_30",
			arch.Launch{Threads: 32, Registers: 64},
			0, 0, 0, [5]int{64, 16, 0, -1, -1}, "registers",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := lookup(t, tt.arch).Occupancy(tt.launch)
			if got.Blocks != tt.blocks || got.Warps != tt.warps || got.Percent() != tt.percent {
				t.Errorf("got %d blocks, %d warps, %v %%; want %d, %d, %v %%",
					got.Blocks, got.Warps, got.Percent(), tt.blocks, tt.warps, tt.percent)
			}
			if got.Limits != tt.limits {
				t.Errorf("limits = %v, want %v", got.Limits, tt.limits)
			}
			if got.Limiters.String() != tt.limited {
				t.Errorf("limiters = %q, want %q", got.Limiters, tt.limited)
			}
		})
	}
}

// TestOccupancyHostile asks for what no compiler would write: nothing may
// panic or come out as launchable.
func TestOccupancyHostile(t *testing.T) {
	extremes := []int{math.MinInt, -1, 0, 1, 33, 1 << 16, 1<<32 - 1, 1 << 32, 1 << 33, math.MaxInt / 32, math.MaxInt}
	for _, sm := range arch.Builtin().All() {
		for _, threads := range extremes {
			for _, registers := range extremes {
				for _, shared := range extremes {
					for _, barriers := range extremes {
						l := arch.Launch{Threads: threads, Registers: registers, SharedBytes: shared, Barriers: barriers}
						fits := threads > 0 && threads <= sm.ThreadsPerBlock && registers <= sm.RegistersPerThread &&
							shared <= sm.SharedBytesPerBlock && barriers <= sm.BarriersPerBlock
						if got := sm.Occupancy(l).Blocks; got > 0 && !fits || got < 0 {
							t.Fatalf("%s: %+v: %d blocks", sm.Name, l, got)
						}
						sm.Steps(l)
						sm.Reach(l, threads)
						sm.RegistersFor(l, shared)
					}
				}
				sm.RegisterCap(threads, registers)
			}
		}
	}
}

func TestOccupancyAllocatesNothing(t *testing.T) {
	sm := lookup(t, "sm_90")
	l := arch.Launch{Threads: 256, Registers: 40, SharedBytes: 16384, Barriers: 1}
	if n := testing.AllocsPerRun(100, func() { sm.Occupancy(l) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

// BenchmarkOccupancy varies the launch so that no division is folded away.
func BenchmarkOccupancy(b *testing.B) {
	sm := lookup(b, "sm_90")
	b.ReportAllocs()
	blocks, i := 0, 0
	for b.Loop() {
		i++
		blocks += sm.Occupancy(arch.Launch{
			Threads: 32 + i&1023, Registers: 16 + i&127, SharedBytes: i & 0xffff, Barriers: 1 + i&15,
		}).Blocks
	}
	if blocks == 0 {
		b.Fatal("nothing fits")
	}
}
