package arch_test

import (
	"errors"
	"math"
	"testing"

	"github.com/occlint/occlint/arch"
)

func gpu(t testing.TB, name string) *arch.GPU {
	t.Helper()
	g, err := arch.Builtin().GPU(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGPUNames(t *testing.T) {
	for name, want := range map[string]string{
		"H100": "H100-SXM", "h100 sxm": "H100-SXM", "H100-PCIe": "H100-PCIe", "h100_pcie": "H100-PCIe",
		"A100": "A100-SXM-80GB", "A100-40": "A100-SXM-40GB", "rtx 4090": "RTX-4090", "4090": "RTX-4090", "5090": "RTX-5090",
		"L4": "L4", "L40S": "L40S", "B200": "B200", "GB10": "GB10", "H200": "H200", "3090": "RTX-3090",
	} {
		if got := gpu(t, name).Name; got != want {
			t.Errorf("GPU(%q) = %s, want %s", name, got, want)
		}
	}
	_, err := arch.Builtin().GPU("H10")
	var unknown *arch.UnknownError
	if !errors.As(err, &unknown) || unknown.Nearest == "" || len(unknown.Known) < 15 {
		t.Errorf("error = %v", err)
	}
}

// TestGPUTable: every entry is complete, of a known architecture, found by all
// its names and no one else's.
func TestGPUTable(t *testing.T) {
	table := arch.Builtin()
	for _, g := range table.GPUs() {
		if _, err := table.Lookup(g.Arch); err != nil {
			t.Errorf("%s: %v", g.Name, err)
		}
		if g.SMs < 10 || g.BandwidthBytesPerSec < 1e11 || g.ClockHz < 1e9 || g.LatencyCycles < 300 || g.LatencyFrom == "" {
			t.Errorf("%s is incomplete: %+v", g.Name, g)
		}
		for _, name := range append([]string{g.Name}, g.Aliases...) {
			if found, err := table.GPU(name); err != nil || found != g {
				t.Errorf("GPU(%q) = %v, %v; want %s", name, found, err, g.Name)
			}
		}
	}
}

func TestBytesNeeded(t *testing.T) {
	// The worked example: 3.35 TB/s over 132 SMs and 1.7 GHz are 14.9 bytes a
	// cycle; times 700 cycles, 10.4 KB.
	if got := arch.BytesNeeded(700, 1.7e9, 3.35e12, 132); math.Abs(got-10450) > 1 {
		t.Errorf("got %.1f bytes, want 10450", got)
	}
	// 700/1.98e9 s × 3.35e12/132 B/s = 353.5 ns × 25.38 GB/s.
	if got := gpu(t, "H100").BytesNeeded(); math.Abs(got-8972.3) > 0.1 {
		t.Errorf("H100: got %.1f bytes, want 8972.3", got)
	}
	if got := arch.BytesNeeded(700, 0, 1, 1); got != 0 {
		t.Errorf("no clock: got %v", got)
	}
}

// TestReduction is the sum of an array in two versions: one load of 4 bytes in
// flight in each thread at full occupancy, or eight with twice the registers.
func TestReduction(t *testing.T) {
	h100, sm := gpu(t, "H100"), lookup(t, "sm_90")
	a := h100.Flight(sm.Occupancy(arch.Launch{Threads: 256, Registers: 24}), 256, 4)
	b := h100.Flight(sm.Occupancy(arch.Launch{Threads: 256, Registers: 48}), 256, 32)
	// A: 2048 threads × 4 = 8192, short of 8972.3. 8972.3/4 = 2243.1: 2244 threads, 9 blocks,
	// more than the 2048 slots. 8972.3/2048 = 4.4: 5 bytes.
	if a.Have != 8192 || a.Enough() || a.Reachable || a.ThreadsNeeded != 2244 || a.BlocksNeeded != 9 || a.BytesPerThread != 5 {
		t.Errorf("A = %+v", a)
	}
	if got := a.BandwidthShare(); math.Abs(got-0.913) > 0.001 {
		t.Errorf("A reaches %.3f of the bandwidth, want 8192/8972 = 0.913", got)
	}
	// B: 5 blocks × 256 × 32 = 40960. 8972/32 = 280.4: 281 threads do.
	if b.Have != 40960 || !b.Enough() || !b.Reachable || b.ThreadsNeeded != 281 || b.BandwidthShare() != 1 {
		t.Errorf("B = %+v", b)
	}
}

func TestFlightOfNothing(t *testing.T) {
	f := gpu(t, "H100").Flight(arch.Occupancy{WarpSlots: 64}, 256, 0)
	if f.Have != 0 || f.BytesPerThread != 0 || f.ThreadsNeeded != 0 || f.Reachable || f.Enough() {
		t.Errorf("got %+v", f)
	}
}

// TestFlightReachable: what stops the threads that would do.
func TestFlightReachable(t *testing.T) {
	h100, sm := gpu(t, "H100"), lookup(t, "sm_90")
	// 255 registers are 8160, 8192 a warp: 2 in each of 4 parts, 8 warps, one
	// block. 8972.3/16 = 560.8: 561 threads, 3 blocks, and there are slots for
	// 8. 3 blocks are 24 warps, 6 in each part: 16384/6 = 2730, down to 2560,
	// 80 registers.
	l := arch.Launch{Threads: 256, Registers: 255}
	f := h100.Flight(sm.Occupancy(l), l.Threads, 16)
	if f.Threads != 256 || f.ThreadsNeeded != 561 || f.BlocksNeeded != 3 || !f.Reachable {
		t.Errorf("255 registers: %+v", f)
	}
	changes, ok := sm.Reach(l, f.BlocksNeeded)
	if !ok || len(changes) != 1 || changes[0] != (arch.Change{Resource: arch.Registers, Now: 255, Need: 80, Possible: true}) {
		t.Errorf("to have 3 blocks: %+v, %v", changes, ok)
	}
	// An L40S needs 636/2.52e9 × 864e9/142 = 1535.7 bytes: 1536 threads of one
	// byte, as many as 48 warps have. Blocks of 1024 have 32 warps, and 2 of
	// them 64; blocks of 256 do.
	l40s, sm := gpu(t, "L40S"), lookup(t, "sm_89")
	for threads, want := range map[int]bool{1024: false, 256: true} {
		f = l40s.Flight(sm.Occupancy(arch.Launch{Threads: threads, Registers: 32}), threads, 1)
		if f.ThreadsNeeded != 1536 || f.Reachable != want {
			t.Errorf("blocks of %d: %+v, want reachable %v", threads, f, want)
		}
	}
	// 32 warps of 80 registers are more than a block can have.
	f = h100.Flight(lookup(t, "sm_90").Occupancy(arch.Launch{Threads: 1024, Registers: 80}), 1024, 16)
	if f.Have != 0 || f.Reachable || f.BytesPerThread != 0 {
		t.Errorf("what can't launch: %+v", f)
	}
}

func TestWaves(t *testing.T) {
	h100 := gpu(t, "H100")
	eight := arch.Occupancy{Blocks: 8}
	for _, tt := range []struct {
		grid, full, last, count int64
		idle                    float64
	}{
		// 132×8 = 1056 blocks a wave.
		{1056, 1, 0, 1, 0},
		{1057, 1, 1, 2, 100 * 1055.0 / 2112},
		{528, 0, 528, 1, 50},
		{10560, 10, 0, 10, 0},
		{0, 0, 0, 0, 0},
	} {
		w := h100.Waves(eight, tt.grid)
		if w.PerWave != 1056 || w.Full != tt.full || w.LastGrid != tt.last || w.Count() != tt.count || math.Abs(w.IdlePercent()-tt.idle) > 1e-9 {
			t.Errorf("grid %d: %+v, %d waves, %v %% idle; want %+v", tt.grid, w, w.Count(), w.IdlePercent(), tt)
		}
	}
	// 2^63-1 = 1056 × 8734253822779143 + 799: the places are more than 2^63.
	w := h100.Waves(eight, math.MaxInt64)
	if w.Full != 8734253822779143 || w.LastGrid != 799 || !(w.IdlePercent() > 0 && w.IdlePercent() < 1e-12) {
		t.Errorf("the largest grid: %+v, %v %% idle", w, w.IdlePercent())
	}
	if w := h100.Waves(arch.Occupancy{}, 100); w.Count() != 0 || w.IdlePercent() != 0 {
		t.Errorf("nothing resident: %+v", w)
	}
}
