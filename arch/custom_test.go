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
		arch.Custom{Name: "sm_131", Like: "sm_130", Numbers: map[arch.Number]int{arch.BarriersPerSM: 0, arch.WarpsPerSM: 64}}, // like the one above
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
		{"itself", arch.Custom{Name: "sm_130", Like: "sm_130"}, `like: "sm_130" is this entry itself`},
		{"zero", custom(arch.Partitions, 0), "partitions is 0, want 1 to"},
		{"huge", custom(arch.RegistersPerThread, 1<<40), "registers_per_thread is"},
		{"1 GiB", custom(arch.SharedPerSM, 1<<30), "shared_per_sm is 1073741824, want 1 to 4194304; no SM comes near"},
		{"threads", custom(arch.ThreadsPerBlock, 1e9), "threads_per_block is 1000000000, want 32 to 8192"},
		{"no whole warps", custom(arch.ThreadsPerBlock, 1000), "threads_per_block is 1000, want a multiple of 32"},
		{"less than a warp", custom(arch.ThreadsPerBlock, 20), "threads_per_block is 20, want 32 to"},
		{"threads above warps", custom(arch.ThreadsPerBlock, 4096), "threads_per_block is 4096, more than the threads of warps_per_sm, 2048"},
		{"all reserved", custom(arch.SharedReserved, 1<<18), "shared_per_sm (233472), in units of shared_unit (128) and without shared_reserved (262144), leaves a block no"},
		{"reserved above all", custom(arch.SharedReserved, 1<<30), "shared_reserved is 1073741824, want 0 to 1048576"},
		{"block and reserved above SM", custom(arch.SharedPerBlock, 233472), "shared_per_block is 233472, more than shared_per_sm, in units of shared_unit and without shared_reserved, 232448"},
		{"static above block", custom(arch.StaticSharedPerBlock, 1<<19), "static_shared_per_block is 524288, more than shared_per_block, 232448"},
		{"barriers above pool", custom(arch.BarriersPerBlock, 65), "barriers_per_block is 65, more than barriers_per_sm, 64"},
		{"negative", custom(arch.SharedReserved, -1), "shared_reserved is -1"},
		{"block above SM", custom(arch.SharedPerBlock, 1<<20), "shared_per_block is 1048576, more than shared_per_sm, in units of"},
		{"registers above SM", custom(arch.RegistersPerBlock, 1<<20), "registers_per_block is 1048576, more than registers_per_sm"},
		{"unit above partition", custom(arch.RegisterUnit, 1<<15), "register_unit is 32768, want 1 to 16384"},
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

// TestCustomOrder: an entry can be like one that is named after it, and a
// circle is called one.
func TestCustomOrder(t *testing.T) {
	table, err := arch.Builtin().With(
		arch.Custom{Name: "sm_132", Like: "sm_131a", Numbers: map[arch.Number]int{arch.BlocksPerSM: 10}},
		arch.Custom{Name: "sm_131", Like: "13.0"},
		arch.Custom{Name: "sm_130", Like: "sm_101", Numbers: map[arch.Number]int{arch.WarpsPerSM: 40}},
		arch.Custom{Name: "sm_110", Like: "sm_110", Numbers: map[arch.Number]int{arch.BarriersPerSM: 17}},
	)
	if err != nil {
		t.Fatal(err)
	}
	// All the way up to the replaced sm_110, by its older name.
	if sm, err := table.Lookup("sm_132"); err != nil || sm.BlockSlots != 10 || sm.WarpSlots != 40 || sm.Barriers != 17 {
		t.Errorf("sm_132 = %+v, %v", sm, err)
	}
	table, err = arch.Builtin().With(
		arch.Custom{Name: "sm_130", Like: "sm_131"}, arch.Custom{Name: "sm_131", Like: "sm_130"}, arch.Custom{Name: "sm_132", Like: "sm_90"},
	)
	for _, want := range []string{`custom architecture "sm_130": like: "sm_131" is, by way of its own like, like this entry`, `custom architecture "sm_131": like:`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a circle: error = %v, want %q", err, want)
		}
	}
	if _, err := table.Lookup("sm_132"); err != nil {
		t.Errorf("beside a circle: %v", err)
	}
	gpus, err := arch.Builtin().WithGPUs(arch.CustomGPU{Name: "two", Like: "one", SMs: 2}, arch.CustomGPU{Name: "one", Like: "L4", SMs: 1})
	if g, e := gpus.GPU("two"); err != nil || e != nil || g.SMs != 2 || g.BandwidthBytesPerSec != 300e9 {
		t.Errorf("a GPU like a later one: %+v, %v, %v", g, err, e)
	}
	_, err = arch.Builtin().WithGPUs(arch.CustomGPU{Name: "two", Like: "One"}, arch.CustomGPU{Name: "one", Like: "two"})
	if err == nil || !strings.Contains(err.Error(), `custom GPU "two": like: "One" is, by way of`) {
		t.Errorf("a circle of GPUs: error = %v", err)
	}
}

// TestCustomFollows: a block never has more than the SM where only the SM's
// number is set.
func TestCustomFollows(t *testing.T) {
	for _, tt := range []struct {
		n          arch.Number
		v          int
		of         func(*arch.SM) int
		what       string
		want, like int
	}{
		// 10 barriers in the pool: a block can't name 16.
		{arch.BarriersPerSM, 10, func(s *arch.SM) int { return s.BarriersPerBlock }, "barriers per block", 10, 16},
		// 16 warps are 512 threads.
		{arch.WarpsPerSM, 16, func(s *arch.SM) int { return s.ThreadsPerBlock }, "threads per block", 512, 1024},
		{arch.RegistersPerSM, 32768, func(s *arch.SM) int { return s.RegistersPerBlock }, "registers per block", 32768, 65536},
		// 32 KiB less 1 KiB: less than the 48 KiB without opting in.
		{arch.SharedPerSM, 32768, func(s *arch.SM) int { return s.StaticSharedBytesPerBlock }, "static shared memory", 31744, 49152},
		// 233472 is 233 units of 1000; less 1024.
		{arch.SharedUnit, 1000, func(s *arch.SM) int { return s.SharedBytesPerBlock }, "shared memory per block", 231976, 232448},
	} {
		table, err := arch.Builtin().With(custom(tt.n, tt.v))
		if err != nil {
			t.Errorf("%s: %v", tt.n, err)
			continue
		}
		sm, _ := table.Lookup("sm_130")
		if got := tt.of(sm); got != tt.want || tt.of(lookup(t, "sm_90")) != tt.like {
			t.Errorf("%s %d: %s = %d, want %d", tt.n, tt.v, tt.what, got, tt.want)
		}
	}
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
			if most := sm.Occupancy(arch.Launch{Threads: sm.ThreadsPerBlock, SharedBytes: sm.SharedBytesPerBlock, Barriers: sm.BarriersPerBlock}); most.Blocks < 1 {
				t.Fatalf("%s %d: the most that a block can have doesn't launch: %s", n, v-1, most.Limiters)
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
	// The cycles are kept, so at another clock the time is another.
	slow, err := arch.Builtin().WithGPUs(arch.CustomGPU{Name: "slow", Like: "H200", ClockHz: 1e9})
	if err != nil {
		t.Fatal(err)
	}
	if g, err := slow.GPU("slow"); err != nil || g.LatencyCycles != 691 || g.LatencyFrom != "in cycles as H200, which has 1980 MHz" {
		t.Errorf("slow = %+v, %v", g, err)
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
		"the clock is not set":         {Name: "x", Arch: "sm_90", SMs: 3, BandwidthBytesPerSec: 1e9},
		"the latency is not set":       {Name: "x", Arch: "sm_90", SMs: 3, BandwidthBytesPerSec: 1e9, ClockHz: 1e9},
		"did you mean H100-SXM?":       {Name: "x", Like: "H100-SX"},
		"needs a name":                 {Like: "H100"},
		`"List" is no name for a GPU`:  {Name: "List", Like: "H100"},
		"number of SMs is 1e+09, want": {Name: "x", Like: "H100", SMs: 1e9},
		"the number of SMs is -1":      {Name: "x", Like: "H100", SMs: -1},
		"the bandwidth is 1e+300":      {Name: "x", Like: "H100", BandwidthBytesPerSec: 1e300},
		"the clock is 1, want":         {Name: "x", Like: "H100", ClockHz: 1},
		"the latency is 1e+09":         {Name: "x", Like: "H100", LatencyCycles: 1e9},
	} {
		if _, err := arch.Builtin().WithGPUs(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%+v: error = %v, want %q", c, err, name)
		}
	}
}
