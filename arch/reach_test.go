package arch_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
)

// launches are random but the same in each run.
func launches(n int) []arch.Launch {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]arch.Launch, n)
	for i := range out {
		out[i] = arch.Launch{
			Threads:     1 + r.IntN(1024),
			Registers:   1 + r.IntN(255),
			SharedBytes: r.IntN(1 << (8 + r.IntN(10))),
			Barriers:    r.IntN(18) - 1,
		}
	}
	return out
}

// TestForIsTheLargest tries every value: none above the answer allows the
// blocks, the answer does, and false means that none at all does.
func TestForIsTheLargest(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for _, l := range launches(40) {
			for _, blocks := range []int{1, 2, 3, 5, 8, 13, 24, 32} {
				check := func(what string, r arch.Resource, got int, ok bool, most int) {
					t.Helper()
					want := -1
					for v := most; v >= 0; v-- {
						if (r != arch.Registers || v > 0) && sm.Occupancy(l.With(r, v)).Blocks >= blocks {
							want = v
							break
						}
					}
					if ok != (want >= 0) || ok && got != want {
						t.Fatalf("%s: %s(%+v, %d) = %d, %v; brute force says %d", sm.Name, what, l, blocks, got, ok, want)
					}
				}
				n, ok := sm.RegistersFor(l, blocks)
				check("RegistersFor", arch.Registers, n, ok, sm.RegistersPerThread)
				n, ok = sm.BarriersFor(l, blocks)
				check("BarriersFor", arch.Barriers, n, ok, sm.BarriersPerBlock)
			}
		}
	}
}

// TestSharedForIsTheLargest looks at each allocation unit's edge instead of at
// every byte.
func TestSharedForIsTheLargest(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for _, l := range launches(40) {
			for _, blocks := range []int{1, 2, 5, 8, 16, 32} {
				got, ok := sm.SharedFor(l, blocks)
				if !ok {
					if n := sm.Occupancy(l.With(arch.Shared, 0)).Blocks; n >= blocks {
						t.Fatalf("%s: SharedFor(%+v, %d) says none, without any %d fit", sm.Name, l, blocks, n)
					}
					continue
				}
				if n := sm.Occupancy(l.With(arch.Shared, got)).Blocks; n < blocks {
					t.Fatalf("%s: SharedFor(%+v, %d) = %d allows %d", sm.Name, l, blocks, got, n)
				}
				for v := got + 1; v <= sm.SharedBytesPerBlock+1; v += 127 {
					if n := sm.Occupancy(l.With(arch.Shared, v)).Blocks; n >= blocks {
						t.Fatalf("%s: SharedFor(%+v, %d) = %d, and %d allows %d", sm.Name, l, blocks, got, v, n)
					}
				}
			}
		}
	}
}

// TestMoreNeverHelps: asking for more of anything never gains a block.
func TestMoreNeverHelps(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for _, l := range launches(400) {
			before := sm.Occupancy(l).Blocks
			for _, r := range []arch.Resource{arch.Warps, arch.Registers, arch.Shared, arch.Barriers} {
				if l.Of(r) < 0 {
					continue
				}
				more := l.With(r, l.Of(r)+1)
				if after := sm.Occupancy(more).Blocks; after > before {
					t.Fatalf("%s: %+v has %d blocks, %+v has %d", sm.Name, l, before, more, after)
				}
			}
		}
	}
}

// TestOccupancyHolds checks what is true of every answer.
func TestOccupancyHolds(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for _, l := range launches(400) {
			o := sm.Occupancy(l)
			switch {
			case o.Limiters == 0:
				t.Fatalf("%s: %+v: nothing limits", sm.Name, l)
			case o.Warps > sm.WarpSlots || o.Blocks > sm.BlockSlots:
				t.Fatalf("%s: %+v: %d warps, %d blocks do not fit", sm.Name, l, o.Warps, o.Blocks)
			case o.Blocks*o.RegistersPerBlock > sm.Registers || o.Blocks*o.SharedBytesPerBlock > sm.SharedBytes:
				t.Fatalf("%s: %+v: %+v is more than the SM has", sm.Name, l, o)
			}
			for r, limit := range o.Limits {
				if limited := limit == o.Blocks; o.Limiters.Has(arch.Resource(r)) != limited {
					t.Fatalf("%s: %+v: limiters %v of %v", sm.Name, l, o.Limiters, o.Limits)
				}
			}
		}
	}
}

func TestReach(t *testing.T) {
	sm := lookup(t, "sm_90")
	tests := []struct {
		name   string
		launch arch.Launch
		blocks int
		want   []arch.Change
		ok     bool
	}{
		{
			// 24576+1024 = 25600 bytes a block: 9 fit. 233472/12 = 19456, less
			// 1024 is 18432, a multiple of 128.
			"shared memory alone",
			arch.Launch{Threads: 128, Registers: 12, SharedBytes: 24576, Barriers: 1}, 12,
			[]arch.Change{{Resource: arch.Shared, Now: 24576, Need: 18432, Possible: true}}, true,
		},
		{
			// 8 blocks of 8 warps: 16384/16 = 1024 a warp, 32 registers; and
			// 233472/8 = 29184, less 1024 is 28160.
			"two together",
			arch.Launch{Threads: 256, Registers: 64, SharedBytes: 65536}, 8,
			[]arch.Change{
				{Resource: arch.Registers, Now: 64, Need: 32, Possible: true},
				{Resource: arch.Shared, Now: 65536, Need: 28160, Possible: true},
			}, true,
		},
		{
			"more than there are slots",
			arch.Launch{Threads: 32, Registers: 16}, 40,
			[]arch.Change{{Resource: arch.Blocks}}, false,
		},
		{
			// 64/8 = 8 barriers.
			"barriers",
			arch.Launch{Threads: 64, Registers: 16, Barriers: 16}, 8,
			[]arch.Change{{Resource: arch.Barriers, Now: 16, Need: 8, Possible: true}}, true,
		},
		{
			// 64 slots/5 = 12 warps.
			"block size",
			arch.Launch{Threads: 512, Registers: 16}, 5,
			[]arch.Change{{Resource: arch.Warps, Now: 512, Need: 384, Possible: true}}, true,
		},
		{"already there", arch.Launch{Threads: 256, Registers: 32}, 8, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := sm.Reach(tt.launch, tt.blocks)
			if diff := cmp.Diff(tt.want, got); diff != "" || ok != tt.ok {
				t.Errorf("ok = %v, want %v; changes (-want +got):\n%s", ok, tt.ok, diff)
			}
		})
	}
}

// TestReachIsEnough makes all the changes together.
func TestReachIsEnough(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for _, l := range launches(200) {
			changes, ok := sm.Reach(l, 6)
			if !ok {
				continue
			}
			changed := l
			for _, c := range changes {
				changed = changed.With(c.Resource, c.Need)
			}
			// Fewer threads can only help the registers, so all hold together.
			if got := sm.Occupancy(changed).Blocks; got < 6 {
				t.Fatalf("%s: %+v changed to %+v has %d blocks", sm.Name, l, changed, got)
			}
		}
	}
}

func TestStep(t *testing.T) {
	sm := lookup(t, "sm_90")
	l := arch.Launch{Threads: 256, Registers: 41, SharedBytes: 16384, Barriers: 1}
	// 41 registers are allocated as 48: 1536 a warp, 10 in each part, 5 blocks.
	// One fewer gives 12 in each part, 6 blocks. Up to 48 nothing changes; 49
	// (56: 1792, 9 in each part, 36 warps) leaves 4.
	want := arch.Step{Resource: arch.Registers, Now: 41, Blocks: 5, Fewer: 1, GainTo: 6, Free: 7, LoseTo: 4}
	if diff := cmp.Diff(want, sm.Step(l, arch.Registers)); diff != "" {
		t.Errorf("registers (-want +got):\n%s", diff)
	}
	// Less shared memory gains nothing while registers stop at 5. 5 blocks can
	// have 233472/5 = 46694, down to 46592, less 1024: 45568.
	want = arch.Step{Resource: arch.Shared, Now: 16384, Blocks: 5, GainTo: 5, Free: 45568 - 16384, LoseTo: 4}
	if diff := cmp.Diff(want, sm.Step(l, arch.Shared)); diff != "" {
		t.Errorf("shared (-want +got):\n%s", diff)
	}
	// 64/5 = 12 barriers.
	want = arch.Step{Resource: arch.Barriers, Now: 1, Blocks: 5, GainTo: 5, Free: 11, LoseTo: 4}
	if diff := cmp.Diff(want, sm.Step(l, arch.Barriers)); diff != "" {
		t.Errorf("barriers (-want +got):\n%s", diff)
	}
}

// TestStepOfWhatCannotLaunch: what is too much is shown as fewer.
func TestStepOfWhatCannotLaunch(t *testing.T) {
	// 1024 threads at 80 registers: 32 warps × 2560 = 81920, above 65536; 64
	// registers are the most.
	got := lookup(t, "sm_90").Step(arch.Launch{Threads: 1024, Registers: 80}, arch.Registers)
	want := arch.Step{Resource: arch.Registers, Now: 80, Fewer: 16, GainTo: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestStepsAreNearest tries every value on the way.
func TestStepsAreNearest(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for _, l := range launches(100) {
			if l.Registers > sm.RegistersPerThread {
				continue
			}
			step := sm.Step(l, arch.Registers)
			fewer, free := 0, 0
			for v := l.Registers - 1; v > 0; v-- {
				if sm.Occupancy(l.With(arch.Registers, v)).Blocks > step.Blocks {
					fewer = l.Registers - v
					break
				}
			}
			for v := l.Registers + 1; step.Blocks > 0 && v <= sm.RegistersPerThread; v++ {
				if sm.Occupancy(l.With(arch.Registers, v)).Blocks < step.Blocks {
					break
				}
				free = v - l.Registers
			}
			if step.Fewer != fewer || step.Free != free {
				t.Fatalf("%s: %+v: %+v, brute force says fewer %d, free %d", sm.Name, l, step, fewer, free)
			}
		}
	}
}

func TestResources(t *testing.T) {
	s := arch.ResourcesOf(arch.Shared, arch.Warps)
	if got := s.String(); got != "warps, shared" {
		t.Errorf("String = %q", got)
	}
	if got := slices.Collect(arch.AllResources()); len(got) != 5 || got[4] != arch.Barriers {
		t.Errorf("AllResources = %v", got)
	}
}
