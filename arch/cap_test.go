package arch_test

import (
	"testing"

	"github.com/occlint/occlint/arch"
)

func TestRegisterCap(t *testing.T) {
	tests := []struct {
		arch               string
		threads, minBlocks int
		want               arch.Cap
	}{
		// 8 warps: 65536/128/⌈32/4⌉ = 64.
		{"sm_90", 256, 4, arch.Cap{Registers: 64, Honoured: true}},
		{"sm_90", 256, 8, arch.Cap{Registers: 32, Honoured: true}},
		// 25 warps: 512/⌈50/4⌉ = 512/13 = 39.4, down to 32.
		{"sm_90", 800, 2, arch.Cap{Registers: 32, Honoured: true}},
		// 3 warps: 512/⌈21/4⌉ = 512/6 = 85.3, down to 80.
		{"sm_90", 96, 7, arch.Cap{Registers: 80, Honoured: true}},
		// 29 warps alone: 512/⌈29/4⌉ = 64.
		{"sm_90", 900, 0, arch.Cap{Registers: 64, Honoured: true}},
		{"sm_90", 256, 0, arch.Cap{Registers: 255, Honoured: true}},
		{"sm_90", 256, 1, arch.Cap{Registers: 255, Honoured: true}},
		// 4×32 warps are more than 64 slots: dropped, 1024 threads alone cap at 64.
		{"sm_90", 1024, 4, arch.Cap{Registers: 64, Reason: arch.WarpsAboveSlots}},
		{"sm_90", 128, 40, arch.Cap{Registers: 255, Reason: arch.BlocksAboveSlots}},
		{"sm_90", 0, 4, arch.Cap{Registers: 255, Reason: arch.NoThreads}},
		{"sm_90", 0, 0, arch.Cap{Registers: 255, Honoured: true}},
		// 32 warp slots on sm_75: 2×32 warps are too many.
		{"sm_75", 1024, 2, arch.Cap{Registers: 64, Reason: arch.WarpsAboveSlots}},
		{"sm_75", 32, 17, arch.Cap{Registers: 255, Reason: arch.BlocksAboveSlots}},
		// The limit per block halves it: 32768/128/⌈32/4⌉ = 32.
		{"sm_53", 1024, 1, arch.Cap{Registers: 32, Honoured: true}},
		// 131072 registers per SM, 65536 per block.
		{"sm_37", 1024, 1, arch.Cap{Registers: 64, Honoured: true}},
		{"sm_37", 1024, 2, arch.Cap{Registers: 64, Honoured: true}},
		{"sm_30", 128, 1, arch.Cap{Registers: 63, Honoured: true}},
		// Four groups on sm_60 as well: 512/⌈25/4⌉ = 512/7 = 73.1, down to 72.
		{"sm_60", 800, 1, arch.Cap{Registers: 72, Honoured: true}},
	}
	for _, tt := range tests {
		if got := lookup(t, tt.arch).RegisterCap(tt.threads, tt.minBlocks); got != tt.want {
			t.Errorf("%s: RegisterCap(%d, %d) = %+v, want %+v", tt.arch, tt.threads, tt.minBlocks, got, tt.want)
		}
	}
}

// TestHonouredBoundsAreReached: with exactly the capped number of registers
// the declared blocks are resident as far as registers go, on every
// architecture. A cap that is one allocation unit higher would miss them.
func TestHonouredBoundsAreReached(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for threads := 1; threads <= sm.ThreadsPerBlock; threads++ {
			for blocks := 1; blocks <= sm.BlockSlots; blocks++ {
				bound := sm.RegisterCap(threads, blocks)
				if !bound.Honoured {
					continue
				}
				l := arch.Launch{Threads: threads, Registers: bound.Registers}
				if got := sm.Occupancy(l).Blocks; got < blocks {
					t.Fatalf("%s: bounds (%d, %d) cap at %d registers, which allow %d blocks",
						sm.Name, threads, blocks, bound.Registers, got)
				}
			}
		}
	}
}
