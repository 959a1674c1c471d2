package arch_test

import (
	"strings"
	"testing"

	"github.com/occlint/occlint/arch"
)

func TestCustom(t *testing.T) {
	builtin := arch.Builtin()
	table, err := builtin.With(
		arch.Custom{Name: "sm_130", Like: "sm_120", Numbers: map[arch.Number]int{arch.SharedPerSM: 256 << 10}},
		arch.Custom{Name: "sm_131", Like: "sm_130", Numbers: map[arch.Number]int{arch.BarriersPerSM: 0, arch.WarpsPerSM: 64}},
		arch.Custom{Name: "sm_110", Like: "sm_110", Numbers: map[arch.Number]int{arch.BlocksPerSM: 32}},
	)
	if err != nil {
		t.Fatal(err)
	}
	// All the shared memory but the reserved 1 KiB for one block, as on sm_120.
	sm, err := table.Lookup("sm_130a")
	if err != nil {
		t.Fatal(err)
	}
	if sm.SharedBytes != 262144 || sm.SharedBytesPerBlock != 261120 || sm.WarpSlots != 48 {
		t.Errorf("sm_130 = %+v", sm)
	}
	// 262144/(100000+1024 = 101024, up to 101120) = 2.59: two blocks.
	if got := sm.Occupancy(arch.Launch{Threads: 128, Registers: 32, SharedBytes: 100000}).Blocks; got != 2 {
		t.Errorf("blocks = %d, want 2", got)
	}
	sm, _ = table.Lookup("13.1")
	if sm.SharedBytes != 262144 || sm.WarpSlots != 64 || sm.Occupancy(arch.Launch{Threads: 32, Registers: 16, Barriers: 16}).Blocks != 24 {
		t.Errorf("sm_131 = %+v", sm)
	}
	// An alias follows the entry that replaces its own.
	if sm, _ = table.Lookup("sm_101"); sm.BlockSlots != 32 {
		t.Errorf("sm_101 has %d blocks, want the replaced entry's 32", sm.BlockSlots)
	}
	if _, err := builtin.Lookup("sm_130"); err == nil {
		t.Error("With changed the table it was called on")
	}
	if sm, _ = builtin.Lookup("sm_110"); sm.BlockSlots != 24 {
		t.Error("With changed an entry of the table it was called on")
	}
}

func TestCustomErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		custom arch.Custom
		want   string
	}{
		{"no like", arch.Custom{Name: "sm_130"}, `custom architecture "sm_130": like: unknown architecture ""`},
		{"like unknown", arch.Custom{Name: "sm_130", Like: "sm90"}, "did you mean sm_90?"},
		{"name", arch.Custom{Name: "fermi", Like: "sm_90"}, "the name must be as the compiler prints it"},
		{"suffix", arch.Custom{Name: "sm_130a", Like: "sm_90"}, "without a suffix"},
		{"zero", custom(arch.Partitions, 0), "partitions is 0, want 1 to"},
		{"huge", custom(arch.RegistersPerThread, 1<<40), "registers_per_thread is"},
		{"negative", custom(arch.SharedReserved, -1), "shared_reserved is -1"},
		{"block above SM", custom(arch.SharedPerBlock, 1<<20), "shared_per_block is 1048576, more than shared_per_sm, 233472"},
		{"registers above SM", custom(arch.RegistersPerBlock, 1<<20), "registers_per_block is 1048576, more than registers_per_sm"},
		{"unit above partition", custom(arch.RegisterUnit, 1<<15), "a partition has 16384 registers"},
		{"unknown number", custom("warps", 3), `"warps" is no number of an architecture`},
	} {
		_, err := arch.Builtin().With(tt.custom)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error = %v, want %q", tt.name, err, tt.want)
		}
	}
	_, err := arch.Builtin().With(custom("warps", 3), custom("blocks", 3))
	if err == nil || !strings.Contains(err.Error(), "warps") || !strings.Contains(err.Error(), "blocks") {
		t.Errorf("error = %v, want both", err)
	}
}

func custom(n arch.Number, v int) arch.Custom {
	return arch.Custom{Name: "sm_130", Like: "sm_90", Numbers: map[arch.Number]int{n: v}}
}

// TestCustomExtremes: whatever passes the check must not divide by zero.
func TestCustomExtremes(t *testing.T) {
	for _, n := range arch.Numbers() {
		for v := 1; v <= 1<<31; v *= 2 {
			table, err := arch.Builtin().With(custom(n, v-1))
			if err != nil {
				continue
			}
			sm, err := table.Lookup("sm_130")
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range launches(50) {
				if o := sm.Occupancy(l); o.Blocks < 0 {
					t.Fatalf("%s %d: %+v: %d blocks", n, v-1, l, o.Blocks)
				}
				sm.Steps(l)
				sm.RegisterCap(l.Threads, 3)
			}
		}
	}
}

func TestCustomGPU(t *testing.T) {
	table, err := arch.Builtin().WithGPUs(
		arch.CustomGPU{Name: "H20", Like: "H200", SMs: 78, BandwidthBytesPerSec: 4e12},
		arch.CustomGPU{Name: "mine", Arch: "sm_89", SMs: 10, BandwidthBytesPerSec: 1e11, ClockHz: 1e9, LatencyCycles: 500},
		arch.CustomGPU{Name: "l4", Like: "L4", SMs: 60},
	)
	if err != nil {
		t.Fatal(err)
	}
	g, err := table.GPU("h20")
	if err != nil {
		t.Fatal(err)
	}
	if g.SMs != 78 || g.Arch != "sm_90" || g.ClockHz != 1980e6 || g.LatencyFrom != "as H200" {
		t.Errorf("H20 = %+v", g)
	}
	// 500 cycles at 1 GHz are 500 ns; 10 GB/s each: 5000 bytes.
	if g, err = table.GPU("MINE"); err != nil || g.BytesNeeded() != 5000 {
		t.Errorf("mine = %+v, %v", g, err)
	}
	if g, err = table.GPU("L4"); err != nil || g.SMs != 60 {
		t.Errorf("L4 = %+v, %v: a known name is replaced", g, err)
	}
	for name, c := range map[string]arch.CustomGPU{
		"the number of SMs is not set": {Name: "x", Arch: "sm_90"},
		`unknown architecture ""`:      {Name: "x", SMs: 3},
		"the bandwidth is not set":     {Name: "x", Arch: "sm_90", SMs: 3},
		"the clock is not set":         {Name: "x", Arch: "sm_90", SMs: 3, BandwidthBytesPerSec: 1},
		"the latency is not set":       {Name: "x", Arch: "sm_90", SMs: 3, BandwidthBytesPerSec: 1, ClockHz: 1},
		"did you mean H100-SXM?":       {Name: "x", Like: "H100-SX"},
		"needs a name":                 {Like: "H100"},
	} {
		if _, err := arch.Builtin().WithGPUs(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: error = %v, want %q", c, err, name)
		}
	}
}
